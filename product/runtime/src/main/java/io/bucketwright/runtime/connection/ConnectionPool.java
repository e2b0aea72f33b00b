package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Keeps connections open between requests, and closes those that are idle or cannot be written to. */
final class ConnectionPool implements ConnectionMonitor.Receiver, AutoCloseable {

    /** Shorter than servers and load balancers wait before they close an idle connection. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final SocketConnector connector;
    private final ConnectionMonitor monitor;
    private final Set<HttpConnection> open = new HashSet<>();
    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private boolean closed;
    private volatile long checkedNanos;

    ConnectionPool(SocketConnector connector, ConnectionMonitor monitor) {
        this.connector = connector;
        this.monitor = monitor;
        this.checkedNanos = monitor.nanos();
        monitor.add(this);
    }

    /** A connection that nothing else uses: the one that was used last, or a new one. */
    HttpConnection acquire(ServerAddress address, ReadTimeout timeout) throws IOException {
        // Where nothing is monitored, as in commands, this is the only check.
        long now = monitor.nanos();
        if (now - checkedNanos >= CHECK_INTERVAL.toNanos()) {
            check(now);
        }
        @Nullable HttpConnection found = takeIdle(address);
        while (found != null && !(isCurrent(found) && found.isQuiet())) {
            found.close();
            found = takeIdle(address);
        }
        return found == null ? connect(address, timeout) : found;
    }

    /** A new connection. */
    HttpConnection connect(ServerAddress address, ReadTimeout timeout) throws IOException {
        HttpConnection connection = open(address, timeout);
        connection.onClose(() -> forget(connection));
        synchronized (this) {
            if (!closed) {
                open.add(connection);
                return connection;
            }
        }
        connection.close();
        throw new IOException("The client is closed");
    }

    private HttpConnection open(ServerAddress address, ReadTimeout timeout) throws IOException {
        SSLContext used = connector.tls().current();
        try {
            return connector.open(address, timeout);
        } catch (SSLHandshakeException e) {
            // A server that closes the connection has said nothing about certificates.
            if (e.getCause() instanceof EOFException || !isRenewed(used)) {
                throw e;
            }
            return connector.open(address, timeout);
        }
    }

    /** A handshake with these certificates has failed. Returns whether there are others. */
    boolean isRenewed(SSLContext failed) {
        monitor.activity().distrusted();
        return connector.tls().isRenewed(failed);
    }

    /** Whether its certificates have not changed since. */
    private boolean isCurrent(HttpConnection connection) {
        return connection.tls().equals(connector.tls().current());
    }

    void release(HttpConnection connection) {
        connection.idle(monitor.nanos());
        synchronized (this) {
            if (open.contains(connection) && isCurrent(connection)) {
                idle.addFirst(connection);
                return;
            }
        }
        connection.close();
    }

    @Override
    public boolean check(long nowNanos) {
        checkedNanos = nowNanos;
        connector.tls().refresh(nowNanos);
        List<HttpConnection> expired = new ArrayList<>();
        synchronized (this) {
            for (HttpConnection connection : open) {
                if (connection.isStuck(nowNanos, monitor.keepalive().silence())) {
                    expired.add(connection);
                }
            }
            for (HttpConnection last = idle.peekLast();
                    last != null && ConnectionMonitor.isLonger(last.idleSinceNanos(), nowNanos, IDLE);
                    last = idle.peekLast()) {
                expired.add(idle.removeLast());
            }
        }
        expired.forEach(HttpConnection::close);
        return !isClosed();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        List<HttpConnection> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(open);
        }
        all.forEach(HttpConnection::close);
    }

    private synchronized void forget(HttpConnection connection) {
        open.remove(connection);
        idle.remove(connection);
    }

    private synchronized @Nullable HttpConnection takeIdle(ServerAddress address) {
        for (Iterator<HttpConnection> each = idle.iterator(); each.hasNext(); ) {
            HttpConnection connection = each.next();
            if (connection.address().isSame(address)) {
                each.remove();
                return connection;
            }
        }
        return null;
    }
}
