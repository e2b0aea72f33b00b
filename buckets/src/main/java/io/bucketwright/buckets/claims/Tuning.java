package io.bucketwright.buckets.claims;

import java.time.Duration;

/**
 * How hard a provisioner works.
 *
 * @param workers claims in work at once
 * @param storeCalls calls to one store at once, so that a slow one does not hold all workers
 * @param storeCall how long one may take
 * @param orphansByPolicy whether the bucket of a claim that vanished is treated by its policy; otherwise access is
 *     revoked and nothing else
 */
public record Tuning(int workers, int storeCalls, Duration storeCall, boolean orphansByPolicy) {

    public Tuning {
        if (workers < 1 || storeCalls < 1 || !storeCall.isPositive()) {
            throw new IllegalArgumentException("workers, calls to a store and their duration must be positive, got "
                    + workers + ", " + storeCalls + " and " + storeCall);
        }
    }

    public static Tuning standard() {
        return new Tuning(16, 12, Duration.ofSeconds(10), false);
    }
}
