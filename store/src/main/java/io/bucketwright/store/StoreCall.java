package io.bucketwright.store;

import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One call to a store, as its caller sees it: how long it may take, and whether its answer is still wanted. A store asks
 * {@link #check()} before each request, limits each by {@link #remaining()}, and sends it within {@link #interruptible},
 * so that a deletion does not wait for the provisioning that it makes pointless.
 */
public final class StoreCall {

    private final LongSupplier nanoTime;
    private final long deadline;
    private final Set<Thread> waiting = new HashSet<>();
    private boolean cancelled;

    StoreCall(Duration limit, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.deadline = nanoTime.getAsLong() + limit.toNanos();
    }

    /** A call that may take this long from now. */
    public static StoreCall within(Duration limit) {
        return new StoreCall(limit, System::nanoTime);
    }

    /** What is left; never negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
    }

    /**
     * Refuses to go on with a call that is over.
     *
     * @throws Unavailable if the answer is not wanted any more, or would come too late
     */
    public void check() {
        synchronized (waiting) {
            if (cancelled) {
                throw new Unavailable("The call was cancelled.");
            }
        }
        if (remaining().isZero()) {
            throw new Unavailable("The store took too long.");
        }
    }

    /** Says that the answer is not wanted any more: ends the request under way, and all that would follow it. */
    public void cancel() {
        synchronized (waiting) {
            cancelled = true;
            waiting.forEach(Thread::interrupt);
        }
    }

    public boolean cancelled() {
        synchronized (waiting) {
            return cancelled;
        }
    }

    /**
     * Runs a blocking request on this thread; {@link #cancel()} interrupts it.
     *
     * @throws Unavailable if it is cancelled or too late already
     */
    public <T> T interruptible(Supplier<T> request) {
        check();
        Thread thread = Thread.currentThread();
        synchronized (waiting) {
            waiting.add(thread);
        }
        try {
            check();
            return request.get();
        } finally {
            synchronized (waiting) {
                waiting.remove(thread);
                if (cancelled) {
                    // The interrupt was ours and must not reach what this thread does next.
                    Thread.interrupted();
                }
            }
        }
    }
}
