package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Open while nobody else can hold the lease. It closes by itself: no thread has to run for it, so it is closed when a
 * stopped process resumes, before that process has done anything.
 */
final class Fence {

    private record Opening(long term, long sentNanos, long lastsNanos, Instant until) {}

    private final TimeSource time;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Opening opening;
    private volatile long lastTerm;

    Fence(TimeSource time) {
        this.time = time;
    }

    /** The moment a renewal is about to be sent; its success opens the fence counting from here. */
    Attempt attempt() {
        return new Attempt(time.nanos(), time.now());
    }

    boolean isOpen() {
        return lasts(opening);
    }

    private boolean lasts(@Nullable Opening current) {
        // The monotonic clock stands still while a machine sleeps, the time of day can be set back: both must agree.
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

    /** A renewal on its way. */
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
            // Asked afterwards: whoever found the fence closed until just now waits to be told.
            if (!lasts(before)) {
                listeners.forEach(Runnable::run);
            }
        }
    }
}
