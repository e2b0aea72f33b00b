package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;

/**
 * The concurrency and time limits of the claim controller.
 *
 * @param workers how many claims are reconciled at once
 * @param storeCalls how many calls to one store run at once, whatever its classes; several slow stores leave some workers free
 * @param storeTimeout how long one call to the store may take; it can consist of ten requests and more
 */
public record ClaimLimits(int workers, int storeCalls, Duration storeTimeout) {

    private static final Duration REQUEST = Duration.ofSeconds(10);

    public ClaimLimits {
        if (workers < 1 || storeCalls < 1 || !storeTimeout.isPositive()) {
            throw new IllegalArgumentException("workers, store calls and the store timeout must be positive, got "
                    + workers + ", " + storeCalls + " and " + DurationText.of(storeTimeout));
        }
    }

    public static ClaimLimits standard() {
        return withWorkers(16, Duration.ofMinutes(1));
    }

    public static ClaimLimits withWorkers(int workers, Duration storeTimeout) {
        return new ClaimLimits(workers, Math.max(1, workers * 3 / 8), storeTimeout);
    }

    /** How long one request of a call may take: a store that does not respond is reported early. */
    Duration requestTimeout() {
        return storeTimeout.compareTo(REQUEST) < 0 ? storeTimeout : REQUEST;
    }
}
