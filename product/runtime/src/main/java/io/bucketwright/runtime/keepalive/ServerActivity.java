package io.bucketwright.runtime.keepalive;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;

/** When the API server was last heard: at all. */
public final class ServerActivity {

    private final TimeSource time;
    private final Keepalive keepalive;
    private volatile long lastNanos;
    /** Since when handshakes fail, if they do. */
    private volatile long distrustedNanos;

    private volatile boolean distrusted;

    ServerActivity(TimeSource time, Keepalive keepalive) {
        this.time = time;
        this.keepalive = keepalive;
        this.lastNanos = time.nanos();
    }

    /** Tracks a list and watch from now on. */
    public TrackedWatch track() {
        return new TrackedWatch(this, keepalive);
    }

    /** Since when nothing was received from the API server. */
    public Duration silence() {
        return Duration.ofNanos(Math.max(0, time.nanos() - lastNanos));
    }

    /** Whether the API server has been silent for longer than it may be. */
    public boolean isLost() {
        return silence().compareTo(keepalive.reportAfter()) > 0;
    }

    /** Something was received. */
    public void responded() {
        lastNanos = time.nanos();
        distrusted = false;
    }

    /** A handshake of TLS failed because of a certificate. */
    public synchronized void distrusted() {
        if (!distrusted) {
            distrustedNanos = time.nanos();
            distrusted = true;
        }
    }

    /** Whether nothing but handshakes that fail has been received for so long that other certificates are needed. */
    boolean isDistrusted() {
        return distrusted
                && time.nanos() - distrustedNanos > keepalive.stuckAfter().toNanos();
    }

    long nanos() {
        return time.nanos();
    }
}
