package io.bucketwright.runtime;

import java.time.Duration;
import java.time.Instant;

/** Where the engine gets its time from: the machine in production, the test's own hand in tests. */
public interface TimeSource {

    /** A clock that never goes back; only differences of its values mean something. */
    long nanos();

    /** The time of day, for people and for other machines. */
    Instant now();

    /** Runs a short, non-blocking task once the delay has passed. */
    Alarm after(Duration delay, Runnable task);

    /** A task that has not run yet. */
    @FunctionalInterface
    interface Alarm {

        /** Keeps the task from running; without effect once it has begun. */
        void cancel();
    }
}
