package io.bucketwright.buckets.claims;

import java.time.Duration;

/**
 * The concurrency and time limits of the claim controller.
 *
 * @param workers how many claims are reconciled at once
 * @param storeCalls how many calls to one store run at once; so few that two slow stores leave some workers free
 * @param storeTimeout how long one call to the store may take
 */
public record ClaimLimits(int workers, int storeCalls, Duration storeTimeout) {

    public ClaimLimits {
        if (workers < 1 || storeCalls < 1 || !storeTimeout.isPositive()) {
            throw new IllegalArgumentException("workers, store calls and the store timeout must be positive, got "
                    + workers + ", " + storeCalls + " and " + storeTimeout);
        }
    }

    public static ClaimLimits standard() {
        return withWorkers(16, Duration.ofSeconds(10));
    }

    public static ClaimLimits withWorkers(int workers, Duration storeTimeout) {
        return new ClaimLimits(workers, Math.max(1, workers * 3 / 8), storeTimeout);
    }
}
