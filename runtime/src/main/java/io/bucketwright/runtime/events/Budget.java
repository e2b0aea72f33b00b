package io.bucketwright.runtime.events;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;

/** How many different events one object may have written: a burst, and then one now and then. */
final class Budget {

    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);

    private final TimeSource time;
    private int tokens = BURST;
    private long refilled;

    Budget(TimeSource time) {
        this.time = time;
        this.refilled = time.nanos();
    }

    boolean spend() {
        long earned = (time.nanos() - refilled) / REFILL.toNanos();
        if (earned > 0) {
            tokens = (int) Math.min(BURST, tokens + earned);
            refilled += earned * REFILL.toNanos();
        }
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }
}
