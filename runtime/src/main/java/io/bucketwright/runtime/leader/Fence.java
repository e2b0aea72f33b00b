package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Open while no other process can hold the lease. It closes by itself, without a thread, so it is closed when a stopped
 * process resumes, before that process has done anything.
 */
final class Fence {

    private record Opening(long term, long sentNanos, long lastsNanos, Instant until) {}

    private final TimeSource time;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Opening opening;
    private volatile long lastTerm;
    /** Whether somebody found the fence closed since it was last opened, and may be waiting for it. */
    private volatile boolean foundClosed;

    Fence(TimeSource time) {
        this.time = time;
    }

    /** Call it before a renewal is sent; if the renewal succeeds, the fence is open counting from this time. */
    Attempt attempt() {
        return new Attempt(time.nanos(), time.now());
    }

    boolean isOpen() {
        if (lasts(opening)) {
            return true;
        }
        foundClosed = true;
        // A renewal may have succeeded in between without seeing that.
        return lasts(opening);
    }

    private boolean lasts(@Nullable Opening current) {
        // The monotonic clock stops while a machine sleeps, the wall clock can be set back: both must agree.
        return current != null
                && time.nanos() - current.sentNanos() < current.lastsNanos()
                && time.now().isBefore(current.until());
    }

    long term() {
        return lastTerm;
    }

    void close() {
        opening = null;
    }

    void onOpened(Runnable listener) {
        listeners.add(listener);
        if (isOpen()) {
            listener.run();
        }
    }

    /** A renewal that is in flight. */
    final class Attempt {

        private final long sentNanos;
        private final Instant sentAt;

        private Attempt(long sentNanos, Instant sentAt) {
            this.sentNanos = sentNanos;
            this.sentAt = sentAt;
        }

        void succeeded(long term, Duration lasts) {
            Opening before = opening;
            lastTerm = term;
            opening = new Opening(term, sentNanos, lasts.toNanos(), sentAt.plus(lasts));
            // After the opening is visible: whoever found the fence closed until then waits for the listeners. The wall
            // clock can jump forward and back, so the former opening may last although somebody found it closed.
            if (foundClosed || !lasts(before)) {
                foundClosed = false;
                listeners.forEach(Runnable::run);
            }
        }
    }
}
