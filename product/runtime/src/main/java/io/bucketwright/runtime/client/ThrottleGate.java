package io.bucketwright.runtime.client;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Holds back the requests of the whole process after the API server has requested to wait: one worker learned it, and the
 * others must not find out one by one.
 */
final class ThrottleGate {

    /** Spreads the requests that were held back: each waits for up to half of the remaining wait in addition. */
    private static final double JITTER = 0.5;

    /** A server, or a proxy in front of it, must not stop the whole process for longer with one response. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final TimeSource time;
    private final RandomGenerator random;
    private final AtomicLong notBefore;

    ThrottleGate(TimeSource time, RandomGenerator random) {
        this.time = time;
        this.random = random;
        this.notBefore = new AtomicLong(time.nanos());
    }

    /** The API server requests to wait that long. */
    Duration close(Duration wait) {
        Duration atMost = wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
        long until = time.nanos() + atMost.toNanos();
        notBefore.accumulateAndGet(until, (a, b) -> a - b > 0 ? a : b);
        return withJitter(wait);
    }

    /** How long a request has to wait, zero if it may be sent now. */
    Duration remaining() {
        long left = notBefore.get() - time.nanos();
        return left <= 0 ? Duration.ZERO : withJitter(Duration.ofNanos(left));
    }

    private Duration withJitter(Duration wait) {
        return wait.plusNanos((long) (wait.toNanos() * JITTER * random.nextDouble()));
    }
}
