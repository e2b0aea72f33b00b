package io.bucketwright.runtime.keepalive;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at all open watches and idle connections of a process once per ping interval. */
public final class ConnectionMonitor implements AutoCloseable {

    /** Something that may receive bytes from the API server. */
    public interface Receiver {

        /** Pings it, closes it if it was silent for too long, or returns false because it has ended. */
        boolean check(long nowNanos);
    }

    private static final Logger log = LoggerFactory.getLogger(ConnectionMonitor.class);

    private final Keepalive keepalive;
    private final TimeSource time;
    private final Executor executor;
    private final ServerActivity activity;
    private final Set<Receiver> receivers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Prepares a monitor that does not look yet.
     *
     * @param executor runs pings, and what a client does about a lost connection
     */
    public ConnectionMonitor(Keepalive keepalive, TimeSource time, Executor executor) {
        this.keepalive = keepalive;
        this.time = time;
        this.executor = executor;
        this.activity = new ServerActivity(time, keepalive);
    }

    /** Begins to look, and does so until it is closed. */
    public void start() {
        next();
    }

    public ServerActivity activity() {
        return activity;
    }

    /** The clock by which silence is measured. */
    public long nanos() {
        return time.nanos();
    }

    public Keepalive keepalive() {
        return keepalive;
    }

    public void add(Receiver receiver) {
        receivers.add(receiver);
    }

    public void remove(Receiver receiver) {
        receivers.remove(receiver);
    }

    public static boolean isLonger(long sinceNanos, long nowNanos, Duration than) {
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
            receivers.removeIf(receiver -> !isOpen(receiver));
        } finally {
            next();
        }
    }

    /** Code of a client that fails must not keep the other receivers from being looked at. */
    private boolean isOpen(Receiver receiver) {
        try {
            return receiver.check(time.nanos());
        } catch (Throwable e) {
            log.error("A connection cannot be looked at; this is a defect, please report it", e);
            return true;
        }
    }
}
