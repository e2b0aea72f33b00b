package io.bucketwright.runtime.controller;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * How many workers one dependency may hold at once, so that a slow one does not hold up the others. A worker that finds it
 * full does not wait: it gives its key back and takes another.
 */
public final class ConcurrencyLimit {

    private final String name;
    private final Semaphore permits;
    private final Duration comeBack;

    public ConcurrencyLimit(String name, int most, Duration comeBack) {
        if (most < 1 || !comeBack.isPositive()) {
            throw new IllegalArgumentException("Limit " + name
                    + " must allow at least one call and a positive delay, got " + most + " and " + comeBack);
        }
        this.name = name;
        this.permits = new Semaphore(most);
        this.comeBack = comeBack;
    }

    public String name() {
        return name;
    }

    /** Does the work, or answers empty at once because the dependency is busy. */
    public <R> Optional<R> tryRun(Supplier<R> work) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(work.get());
        } finally {
            permits.release();
        }
    }

    /** Does the step, or rests until the dependency may have room again. */
    public Outcome act(Supplier<Outcome> step) {
        return tryRun(step).orElseGet(() -> Outcome.finish(Result.requeueAfter(comeBack)));
    }
}
