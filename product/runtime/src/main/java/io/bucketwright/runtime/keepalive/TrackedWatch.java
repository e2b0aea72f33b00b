package io.bucketwright.runtime.keepalive;

import java.net.HttpURLConnection;
import java.time.Duration;

/**
 * When one list and watch was last heard. It is a tag of the HTTP client that sends the requests, so that nobody has to
 * recognize them by their addresses.
 */
public final class TrackedWatch {

    /**
     * The last response.
     *
     * @param refusedSince when the first of the refusals arrived that ended with this response; meaningless if it is none
     * @param rejectedSince the same for responses that rejected the credentials
     */
    private record Contact(long nanos, int code, Duration silenceAllowed, long refusedSince, long rejectedSince) {

        boolean isRejection() {
            return code == HttpURLConnection.HTTP_UNAUTHORIZED;
        }
    }

    private final ServerActivity server;
    private final Keepalive keepalive;
    private volatile Contact last;

    TrackedWatch(ServerActivity server, Keepalive keepalive) {
        this.server = server;
        this.keepalive = keepalive;
        this.last = new Contact(server.nanos(), 0, keepalive.reportAfter(), 0, 0);
    }

    /** A response arrived, whatever it contains. */
    public void responded(int code) {
        contact(code, keepalive.reportAfter());
    }

    /** Part of a watch arrived. */
    public void received(Duration silenceAllowed) {
        contact(200, silenceAllowed);
    }

    private synchronized void contact(int code, Duration silenceAllowed) {
        server.responded();
        long now = server.nanos();
        long refusedSince = WatchStatus.isRefusal(last.code()) ? last.refusedSince() : now;
        last = new Contact(now, code, silenceAllowed, refusedSince, last.isRejection() ? last.rejectedSince() : now);
    }

    public WatchStatus status() {
        Contact contact = last;
        Duration silence = Duration.ofNanos(Math.max(0, server.nanos() - contact.nanos()));
        // While the API server does not respond at all, a restart would not help. It reads a kubeconfig again, which
        // may contain other certificates or another token.
        boolean stuck = (silence.compareTo(keepalive.stuckAfter()) > 0 && (!server.isLost() || server.isDistrusted()))
                || (contact.isRejection() && isStuck(contact.rejectedSince()));
        // What is refused for that long is as old as what is silent for that long.
        boolean refused = WatchStatus.isRefusal(contact.code()) && isStuck(contact.refusedSince());
        boolean silent = silence.compareTo(contact.silenceAllowed()) > 0;
        return new WatchStatus(silence, silent, silent || refused, stuck, contact.code());
    }

    private boolean isStuck(long sinceNanos) {
        return server.nanos() - sinceNanos > keepalive.stuckAfter().toNanos();
    }
}
