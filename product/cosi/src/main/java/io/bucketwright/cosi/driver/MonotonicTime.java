package io.bucketwright.cosi.driver;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that nobody can set: for what is remembered for a while. Its times have a meaning in this process only. */
record MonotonicTime(Instant start, long startNanos) implements InstantSource {

    static MonotonicTime begin() {
        return new MonotonicTime(Instant.now(), System.nanoTime());
    }

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
