package io.bucketwright.buckets.claims;

import java.time.Duration;

/**
 * The concurrency and time limits of the claim controller.
 *
 * @param workers how many claims are reconciled at once
 * @param storeCalls how many calls to one store run at once; fewer than workers, so that a slow store leaves some free
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
        return new ClaimLimits(16, 12, Duration.ofSeconds(10));
    }
}
