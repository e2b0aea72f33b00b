package io.bucketwright.store;

import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The deadline and the cancellation of one call to a store. A store calls {@link #check()} before each request, limits each
 * request to {@link #remaining()}, and sends it inside {@link #interruptible}, so that the deletion of a claim can cancel
 * its provisioning.
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

    /** A call with this time limit, starting now. */
    public static StoreCall within(Duration limit) {
        return new StoreCall(limit, System::nanoTime);
    }

    /** The remaining time; never negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
    }

    /**
     * Checks that the call is neither cancelled nor past its deadline.
     *
     * @throws Unavailable if it is
     */
    public void check() {
        synchronized (waiting) {
            if (cancelled) {
                throw new Unavailable("The call was cancelled.");
            }
        }
        if (remaining().isZero()) {
            throw new Unavailable("The call exceeded its deadline.");
        }
    }

    /** Interrupts the request in flight and prevents further ones. */
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
     * @throws Unavailable if the call is cancelled or past its deadline
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
                    // Clear the interrupt of cancel(), so that it does not affect what this thread does next.
                    Thread.interrupted();
                }
            }
        }
    }

    /**
     * Waits for this duration, at most until the deadline; {@link #cancel()} ends it.
     *
     * @throws Unavailable if the call is cancelled or past its deadline
     */
    public void pause(Duration duration) {
        interruptible(() -> {
            try {
                Thread.sleep(duration.compareTo(remaining()) < 0 ? duration : remaining());
                return true;
            } catch (InterruptedException e) {
                throw new Unavailable("The call was cancelled.", e);
            }
        });
    }
}
