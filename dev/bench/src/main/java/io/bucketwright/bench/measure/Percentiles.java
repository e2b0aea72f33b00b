package io.bucketwright.bench.measure;

import java.util.Arrays;

/** Percentiles of measured values, by the nearest rank: each is a value that was measured. */
public record Percentiles(double median, double p99) {

    /**
     * The percentiles of these values.
     *
     * @throws IllegalArgumentException if there is no value
     */
    public static Percentiles of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("There is no value");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Percentiles(rank(sorted, 50), rank(sorted, 99));
    }

    private static double rank(double[] sorted, int percent) {
        return sorted[(int) Math.ceil(percent / 100.0 * sorted.length) - 1];
    }
}
