package io.bucketwright.store.none;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays and failures that make a call resemble one to a real store.
 *
 * @param delay the duration of each call
 * @param failurePercent the percentage of calls that fail
 */
record FaultInjection(Duration delay, int failurePercent, RandomGenerator random) {

    private static final int PERCENT = 100;

    void apply(StoreCall call) {
        call.check();
        if (!delay.isZero()) {
            call.pause(delay);
            call.check();
        }
        if (random.nextInt(PERCENT) < failurePercent) {
            throw new Unavailable("This call failed because the class sets failurePercent to " + failurePercent + ".");
        }
    }
}
