package io.bucketwright.runtime.events;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;

/** A token bucket that limits how many different events are written about one object. */
final class EventRateLimit {

    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);

    private final TimeSource time;
    private int tokens = BURST;
    private long refilled;

    EventRateLimit(TimeSource time) {
        this.time = time;
        this.refilled = time.nanos();
    }

    boolean tryAcquire() {
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
