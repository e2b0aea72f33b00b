package io.bucketwright.runtime.keepalive;

import java.time.Duration;

/**
 * When a connection on which nothing arrives is given up. A network can lose a connection without closing it, and the
 * kernel reports that only after many minutes.
 *
 * @param ping how often an open watch is pinged
 * @param silence how long nothing may arrive on a pinged watch, or in the middle of a response
 */
public record Keepalive(Duration ping, Duration silence) {

    /** How often the API server sends a bookmark to a watch on which nothing else happens. */
    private static final Duration BOOKMARK = Duration.ofMinutes(1);

    /** Detected, reconnected or reported within 30 seconds. */
    public static Keepalive standard() {
        return new Keepalive(Duration.ofSeconds(5), Duration.ofSeconds(15));
    }

    /** A watch that is lost or reconnecting for longer than this is reported: once given up, it is reconnected first. */
    public Duration reportAfter() {
        return silence.plus(ping.plus(ping));
    }

    /** How long nothing may arrive on a watch that cannot be pinged: two bookmark intervals. */
    public Duration withoutPings() {
        return BOOKMARK.plus(BOOKMARK);
    }

    /** A watch on which nothing arrived for longer than this was not reconnected, and only a restart can help. */
    public Duration stuckAfter() {
        return withoutPings().plus(reportAfter());
    }
}
