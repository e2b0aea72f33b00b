package io.bucketwright.runtime.keepalive;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** When the API server was last heard: at all, and for each watch that is tracked. */
public final class ServerActivity {

    private record Contact(long nanos, int code, Duration silenceAllowed) {}

    private final TimeSource time;
    private final Keepalive keepalive;
    private final Map<WatchId, Contact> tracked = new ConcurrentHashMap<>();
    private volatile long lastNanos;

    ServerActivity(TimeSource time, Keepalive keepalive) {
        this.time = time;
        this.keepalive = keepalive;
        this.lastNanos = time.nanos();
    }

    /** Tracks this list and watch from now on. */
    public Supplier<WatchStatus> track(WatchId id) {
        tracked.putIfAbsent(id, new Contact(time.nanos(), 0, keepalive.reportAfter()));
        return () -> status(tracked.getOrDefault(id, new Contact(time.nanos(), 0, keepalive.reportAfter())));
    }

    /** Since when nothing was received from the API server. */
    public Duration silence() {
        return Duration.ofNanos(Math.max(0, time.nanos() - lastNanos));
    }

    /** Whether the API server has been silent for longer than it may be. */
    public boolean isLost() {
        return silence().compareTo(keepalive.reportAfter()) > 0;
    }

    /** A response arrived that says nothing about a list or watch. */
    public void responded() {
        lastNanos = time.nanos();
    }

    /** A response to a list or watch arrived, whatever it contains. */
    public void responded(WatchId id, int code) {
        contact(id, code, keepalive.reportAfter());
    }

    /** Part of a watch arrived. */
    public void received(WatchId id, Duration silenceAllowed) {
        contact(id, 200, silenceAllowed);
    }

    private void contact(WatchId id, int code, Duration silenceAllowed) {
        long now = time.nanos();
        lastNanos = now;
        tracked.computeIfPresent(id, (_, _) -> new Contact(now, code, silenceAllowed));
    }

    private WatchStatus status(Contact last) {
        Duration silence = Duration.ofNanos(Math.max(0, time.nanos() - last.nanos()));
        // While the API server does not respond at all, a restart would not help.
        boolean stuck = silence.compareTo(keepalive.stuckAfter()) > 0 && !isLost();
        return new WatchStatus(silence, silence.compareTo(last.silenceAllowed()) > 0, stuck, last.code());
    }
}
