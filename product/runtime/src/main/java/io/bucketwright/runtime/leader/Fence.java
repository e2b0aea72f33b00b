package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Open while no other process can hold the lease. It closes by itself, without a thread, so it is closed when a stopped
 * process resumes, before that process has done anything.
 */
final class Fence implements Leadership {

    /** A renewal that is in flight, and when it was sent. */
    record Attempt(long sentNanos, Instant sentAt) {}

    private record Opening(long sentNanos, long lastsNanos, Instant until) {}

    private static final Logger log = LoggerFactory.getLogger(Fence.class);

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

    @Override
    public boolean held() {
        if (lasts(opening)) {
            return true;
        }
        foundClosed = true;
        // A renewal may have succeeded in between without seeing that.
        return lasts(opening);
    }

    @Override
    public Duration remaining() {
        return held() ? left(opening) : Duration.ZERO;
    }

    private boolean lasts(@Nullable Opening current) {
        return left(current).isPositive();
    }

    private Duration left(@Nullable Opening current) {
        if (current == null) {
            return Duration.ZERO;
        }
        // The monotonic clock stops while a machine sleeps, the wall clock can be set back: both must agree.
        Duration monotonic = Duration.ofNanos(current.lastsNanos() - (time.nanos() - current.sentNanos()));
        Duration wall = Duration.between(time.now(), current.until());
        Duration left = monotonic.compareTo(wall) < 0 ? monotonic : wall;
        return left.isPositive() ? left : Duration.ZERO;
    }

    @Override
    public long term() {
        return lastTerm;
    }

    void close() {
        opening = null;
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
        if (held()) {
            listener.run();
        }
    }

    /** The renewal of that attempt succeeded. */
    void open(Attempt attempt, long term, Duration lasts) {
        Opening before = opening;
        boolean another = term != lastTerm;
        lastTerm = term;
        opening = new Opening(
                attempt.sentNanos(), lasts.toNanos(), attempt.sentAt().plus(lasts));
        // After the opening is visible: whoever found the fence closed until then waits for the listeners. The wall
        // clock can jump forward and back, so the former opening may last although somebody found it closed.
        if (another || foundClosed || !lasts(before)) {
            foundClosed = false;
            listeners.forEach(Fence::notify);
        }
    }

    /** Each by itself: workers that are not notified sleep although this process leads. */
    private static void notify(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException | Error e) {
            log.error("A listener failed when this process became the leader; please report this", e);
        }
    }
}
