package io.bucketwright.runtime.controller;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits how many workers one dependency may use at once, so that a slow one does not block the others. A worker that finds
 * no capacity does not wait: its key is added again later.
 */
public final class ConcurrencyLimit {

    private final Semaphore permits;
    private final Duration retryAfter;

    public ConcurrencyLimit(String name, int most, Duration retryAfter) {
        if (most < 1 || !retryAfter.isPositive()) {
            throw new IllegalArgumentException("Limit " + name
                    + " must allow at least one call and a positive delay, got " + most + " and " + retryAfter);
        }
        this.permits = new Semaphore(most);
        this.retryAfter = retryAfter;
    }

    /** Does the work, or returns empty at once because the dependency is busy. */
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

    /** Does the step, or requeues the key because the dependency is busy. */
    public Outcome act(Supplier<Outcome> step) {
        return tryRun(step).orElseGet(() -> Outcome.finish(Result.requeueAfter(retryAfter)));
    }
}
