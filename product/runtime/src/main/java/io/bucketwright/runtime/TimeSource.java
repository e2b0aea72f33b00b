package io.bucketwright.runtime;

import java.time.Duration;
import java.time.Instant;

/** The clock of the engine: that of the machine in production, one that the test controls in tests. */
public interface TimeSource {

    /** A monotonic clock; only differences of its values have a meaning. */
    long nanos();

    /** The present time on the monotonic clock. */
    default Moment moment() {
        return new Moment(nanos());
    }

    /** The wall clock, for people and for other machines. */
    Instant now();

    /** Runs a short, non-blocking task once the delay has passed. */
    Alarm after(Duration delay, Runnable task);

    /** A task that has not run yet. */
    @FunctionalInterface
    interface Alarm {

        /** Cancels the task; without effect once it has begun. */
        void cancel();
    }
}
