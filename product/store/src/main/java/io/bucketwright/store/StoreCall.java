package io.bucketwright.store;

import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The deadline and the cancellation of one call to a store. A store calls {@link #check()} immediately before it sends a
 * request, limits each request to {@link #remaining()}, and sends it inside {@link #interruptible}, so that the deletion of
 * a claim can cancel its provisioning.
 */
public final class StoreCall {

    /** After a store has confirmed a later request, it may still carry out one that it did not confirm, for this time. */
    public static final Duration LATE = Duration.ofSeconds(30);

    /** A store that has not carried out a request after this time is not expected to do so. */
    public static final Duration LONGEST_OUTAGE = Duration.ofMinutes(10);

    private final LongSupplier nanoTime;
    private final Duration ofRequest;
    private final Supplier<Duration> permitted;
    private final long deadline;
    private final Set<Thread> waiting = new HashSet<>();
    private boolean cancelled;

    StoreCall(Duration limit, Duration ofRequest, Supplier<Duration> permitted, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.ofRequest = ofRequest;
        this.permitted = permitted;
        this.deadline = nanoTime.getAsLong() + limit.toNanos();
    }

    /** A call with this time limit, starting now. */
    public static StoreCall within(Duration limit) {
        return within(limit, () -> limit);
    }

    /**
     * A call with this time limit, starting now, of a caller that may send requests only for a time, such as a leader.
     *
     * @param permitted how long the caller may wait for a response from now on, zero if it must not send; asked before each
     *     request
     */
    public static StoreCall within(Duration limit, Supplier<Duration> permitted) {
        return within(limit, limit, permitted);
    }

    /**
     * A call that may consist of many slow requests, starting now, but gives up a request without a response early.
     *
     * @param limit of the whole call
     * @param ofRequest the time limit of each request
     * @param permitted how long the caller may wait for a response from now on, zero if it must not send; asked before each
     *     request
     */
    public static StoreCall within(Duration limit, Duration ofRequest, Supplier<Duration> permitted) {
        return new StoreCall(limit, ofRequest, permitted, System::nanoTime);
    }

    /** How long the next request may take; never negative. */
    public Duration remaining() {
        return shorter(shorter(untilDeadline(), ofRequest), permitted.get());
    }

    private Duration untilDeadline() {
        return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Checks that the call is neither cancelled nor past its deadline, and that the caller may still send requests.
     *
     * @throws Unavailable if it is
     */
    public void check() {
        synchronized (waiting) {
            if (cancelled) {
                throw new Unavailable("The call was cancelled.");
            }
        }
        if (untilDeadline().isZero()) {
            throw new Unavailable("The call exceeded its deadline.");
        }
        if (permitted.get().isZero()) {
            throw new Unavailable("The call was stopped: another process may be the leader.");
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
     * Runs a blocking request on this thread; {@link #cancel()} interrupts it. Requests can be nested.
     *
     * @throws Unavailable if the call is cancelled or past its deadline
     */
    public <T> T interruptible(Supplier<T> request) {
        check();
        Thread thread = Thread.currentThread();
        boolean outermost;
        synchronized (waiting) {
            outermost = waiting.add(thread);
        }
        try {
            check();
            return request.get();
        } finally {
            synchronized (waiting) {
                if (outermost) {
                    waiting.remove(thread);
                }
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
                Thread.sleep(shorter(duration, remaining()));
                return true;
            } catch (InterruptedException e) {
                throw new Unavailable("The call was cancelled.", e);
            }
        });
    }
}
