package io.bucketwright.bench.measure;

/**
 * How a value grows with another one: the straight line with the least squares.
 *
 * @param slope of the line: growth of the value for each unit of the other one
 * @param first measured value
 * @param last measured value
 */
public record Trend(double slope, double first, double last) {

    /**
     * The trend of measured values.
     *
     * @param positions such as numbers of objects
     * @param values measured at these positions
     * @throws IllegalArgumentException if there are not two different positions, or not a value for each
     */
    public static Trend of(double[] positions, double[] values) {
        int count = positions.length;
        if (count != values.length) {
            throw new IllegalArgumentException(count + " positions, but " + values.length + " values");
        }
        double position = mean(positions);
        double value = mean(values);
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < count; i++) {
            covariance += (positions[i] - position) * (values[i] - value);
            variance += (positions[i] - position) * (positions[i] - position);
        }
        if (variance == 0) {
            throw new IllegalArgumentException("A trend needs two different positions");
        }
        return new Trend(covariance / variance, values[0], values[count - 1]);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
