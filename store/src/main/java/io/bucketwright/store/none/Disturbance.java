package io.bucketwright.store.none;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What makes a call to this store resemble one to a real store.
 *
 * @param delay how long it takes
 * @param failurePercent how many of a hundred fail
 */
record Disturbance(Duration delay, int failurePercent, RandomGenerator random) {

    private static final int ALL = 100;

    void happen(StoreCall call) {
        call.check();
        if (!delay.isZero()) {
            call.interruptible(() -> {
                try {
                    Thread.sleep(delay.compareTo(call.remaining()) < 0 ? delay : call.remaining());
                } catch (InterruptedException e) {
                    throw new Unavailable("The call was cancelled.", e);
                }
                return true;
            });
            call.check();
        }
        if (random.nextInt(ALL) < failurePercent) {
            throw new Unavailable("The store was told to fail " + failurePercent + " of 100 calls.");
        }
    }
}
