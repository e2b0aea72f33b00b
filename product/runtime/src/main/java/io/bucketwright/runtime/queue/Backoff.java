package io.bucketwright.runtime.queue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay after the n-th failure in a row: doubled each time, never longer than the cap, and jittered between half
 * and the whole, so that keys that failed together are not retried together.
 */
public record Backoff(Duration first, Duration cap) {

    public Backoff {
        if (!first.isPositive() || cap.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "Back-off needs 0 < first <= cap, got first " + first + " and cap " + cap);
        }
    }

    public static Backoff standard() {
        return new Backoff(Duration.ofMillis(100), Duration.ofMinutes(5));
    }

    /**
     * The wait after that many failures in a row.
     *
     * @param failures one for the first failure
     */
    public Duration delay(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("There is no back-off after " + failures + " failures");
        }
        long whole = whole(failures);
        return Duration.ofNanos(whole - (long) (whole / 2.0 * random.nextDouble()));
    }

    private long whole(int failures) {
        long ceiling = cap.toNanos();
        long start = first.toNanos();
        int doublings = failures - 1;
        // Shifting further than the leading zeros would overflow into a negative, that is immediate, delay.
        if (doublings >= Long.numberOfLeadingZeros(start) - 1) {
            return ceiling;
        }
        return Math.min(ceiling, start << doublings);
    }
}
