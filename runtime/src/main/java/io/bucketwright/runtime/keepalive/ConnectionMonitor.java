package io.bucketwright.runtime.keepalive;

import io.bucketwright.runtime.TimeSource;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Looks at all open watches and unfinished responses of a process once per ping interval. */
public final class ConnectionMonitor implements AutoCloseable {

    /** Something that receives bytes from the API server. */
    interface Receiver {

        /** Pings it, gives it up if it was silent for too long, or returns false because it has ended. */
        boolean check(long nowNanos);
    }

    private final Keepalive keepalive;
    private final TimeSource time;
    private final Executor executor;
    private final ServerActivity activity;
    private final Set<Receiver> receivers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Begins to look.
     *
     * @param executor runs pings, and what a client does about a lost connection
     */
    public ConnectionMonitor(Keepalive keepalive, TimeSource time, Executor executor) {
        this.keepalive = keepalive;
        this.time = time;
        this.executor = executor;
        this.activity = new ServerActivity(time, keepalive);
        next();
    }

    /** Builds an HTTP client whose connections are monitored. */
    public HttpClient.Builder newHttpClientBuilder() {
        return new MonitoredClientBuilder(
                HttpClient.newBuilder().executor(executor), client -> new MonitoredHttpClient(client, this));
    }

    public ServerActivity activity() {
        return activity;
    }

    long nanos() {
        return time.nanos();
    }

    Keepalive keepalive() {
        return keepalive;
    }

    void add(Receiver receiver) {
        receivers.add(receiver);
    }

    void remove(Receiver receiver) {
        receivers.remove(receiver);
    }

    static boolean isLonger(long sinceNanos, long nowNanos, Duration than) {
        return nowNanos - sinceNanos > than.toNanos();
    }

    @Override
    public void close() {
        closed = true;
    }

    private void next() {
        // Not in the thread of the timer: giving a connection up runs code of the client.
        time.after(keepalive.ping(), () -> {
            if (!closed) {
                executor.execute(this::checkAll);
            }
        });
    }

    private void checkAll() {
        try {
            receivers.removeIf(receiver -> !receiver.check(time.nanos()));
        } finally {
            next();
        }
    }
}
