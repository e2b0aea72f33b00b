package io.bucketwright.runtime.leader;

import java.time.Duration;

/**
 * Lease duration, renew deadline and retry period.
 *
 * @param lease how long others wait after the last renewal they saw, in whole seconds because the API stores those
 * @param renewWithin how long this process acts after a renewal; the rest of the lease is for requests in flight
 * @param retry how often the lease is renewed, or tried for
 */
public record LeaseTiming(Duration lease, Duration renewWithin, Duration retry) {

    public LeaseTiming {
        if (lease.toSeconds() < 1 || !lease.equals(Duration.ofSeconds(lease.toSeconds()))) {
            throw new IllegalArgumentException("The lease must last whole seconds, at least one, got " + lease);
        }
        if (renewWithin.compareTo(lease) >= 0) {
            throw new IllegalArgumentException("Renewing within " + renewWithin + " is no shorter than the lease of "
                    + lease + ": the lease could be taken while this process acts");
        }
        if (!retry.isPositive() || retry.plus(retry).compareTo(renewWithin) > 0) {
            throw new IllegalArgumentException("Retrying every " + retry + " leaves no second attempt to renew within "
                    + renewWithin + ": retry at least twice as often");
        }
    }

    /** The values that Kubernetes uses for its controllers. */
    public static LeaseTiming standard() {
        return new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }

    /**
     * A lease of that length, with the usual parts of it for renewing and retrying. In nanoseconds: a duration multiplies
     * itself as a BigDecimal, whose class takes 20 ms of each start.
     */
    public static LeaseTiming lasting(Duration lease) {
        long nanos = lease.toNanos();
        return new LeaseTiming(lease, Duration.ofNanos(nanos / 3 * 2), Duration.ofNanos(nanos / 6));
    }

    /** How long one request about the lease may take, so that another one still fits. */
    public Duration requestTimeout() {
        return Duration.ofNanos(renewWithin.toNanos() / 2);
    }
}
