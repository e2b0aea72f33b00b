package io.bucketwright.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A TCP proxy to a port of this machine whose connections a test can break, silence, delay or cut. */
public final class TcpProxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final ServerSocket entry;
    private final int target;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private volatile boolean disconnected;
    private volatile boolean silent;
    private volatile long delayMillis;
    private volatile long cutAfter = Long.MAX_VALUE;
    private volatile long silentAfter = Long.MAX_VALUE;
    private final AtomicLong cutInTheMiddle = new AtomicLong();
    private final AtomicLong silencedInTheMiddle = new AtomicLong();

    public TcpProxy(int target) {
        this.target = target;
        try {
            this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return entry.getLocalPort();
    }

    /** How many connections were made so far. */
    public long accepted() {
        return accepted.get();
    }

    /** Closes all connections, and each new one at once. */
    public void disconnect() {
        disconnected = true;
        connections.forEach(Connection::end);
    }

    /**
     * Swallows all bytes in both directions without closing anything, as a network does that lost its route. Connections
     * that exist now stay silent for ever; new ones are accepted and stay silent too.
     */
    public void swallow() {
        silent = true;
        connections.forEach(Connection::silence);
    }

    /** Delays each piece of a response. */
    public void delayResponses(long millis) {
        delayMillis = millis;
    }

    /** Closes each connection, new or not, once that many more bytes of responses have passed it. */
    public void cutResponsesAfter(long bytes) {
        connections.forEach(Connection::resetCount);
        cutAfter = bytes;
    }

    /** How many connections were closed in the middle of a response. */
    public long cut() {
        return cutInTheMiddle.get();
    }

    /** Silences each connection, new or not, once that many more bytes of responses have passed it. */
    public void swallowResponsesAfter(long bytes) {
        connections.forEach(Connection::resetCount);
        silentAfter = bytes;
    }

    /** How many connections were silenced in the middle of a response. */
    public long swallowed() {
        return silencedInTheMiddle.get();
    }

    /** New connections work again. */
    public void restore() {
        disconnected = false;
        silent = false;
        delayMillis = 0;
        cutAfter = Long.MAX_VALUE;
        silentAfter = Long.MAX_VALUE;
    }

    @Override
    public void close() {
        disconnect();
        end(entry);
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket near = entry.accept();
                accepted.incrementAndGet();
                if (disconnected) {
                    end(near);
                    continue;
                }
                new Connection(near, new Socket(InetAddress.getLoopbackAddress(), target)).start();
            } catch (IOException e) {
                // Closed, or the target does not listen; the client sees the same.
                if (entry.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Connection {

        private final Socket near;
        private final Socket far;
        private final AtomicLong responded = new AtomicLong();
        private volatile boolean silenced = silent;

        Connection(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void start() {
            connections.add(this);
            Thread.ofVirtual().start(() -> copy(near, far, false));
            Thread.ofVirtual().start(() -> copy(far, near, true));
        }

        void silence() {
            silenced = true;
        }

        void resetCount() {
            responded.set(0);
        }

        void end() {
            connections.remove(this);
            TcpProxy.end(near);
            TcpProxy.end(far);
        }

        private void copy(Socket from, Socket to, boolean response) {
            byte[] buffer = new byte[BUFFER];
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                int length = in.read(buffer);
                while (length >= 0) {
                    if (!silenced) {
                        forward(buffer, length, out, response);
                    }
                    length = in.read(buffer);
                }
                while (silenced) {
                    // The end of one side does not reach the other either.
                    Thread.sleep(100);
                    if (near.isClosed() || far.isClosed()) {
                        return;
                    }
                }
            } catch (IOException e) {
                // One end is closed; the other is closed too.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                end();
            }
        }

        private void forward(byte[] buffer, int length, OutputStream out, boolean response)
                throws IOException, InterruptedException {
            int passed = length;
            if (response) {
                if (delayMillis > 0) {
                    Thread.sleep(delayMillis);
                }
                long before = responded.getAndAdd(length);
                passed = (int) Math.max(0, Math.min(length, Math.min(cutAfter, silentAfter) - before));
            }
            out.write(buffer, 0, passed);
            out.flush();
            if (passed < length && silentAfter < cutAfter) {
                silencedInTheMiddle.incrementAndGet();
                silence();
            } else if (passed < length) {
                cutInTheMiddle.incrementAndGet();
                throw new IOException("cut");
            }
        }
    }
}
