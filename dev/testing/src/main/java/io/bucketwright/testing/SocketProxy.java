package io.bucketwright.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A proxy to a port or a Unix socket of this machine whose connections a test can break, silence, delay or cut. */
public final class SocketProxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final ServerSocketChannel entry;
    private final SocketAddress target;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private volatile Consumer<String> requests = _ -> {};
    private volatile boolean disconnected;
    private volatile boolean silent;
    private volatile long delayMillis;
    private volatile long cutAfter = Long.MAX_VALUE;
    private volatile long silentAfter = Long.MAX_VALUE;
    private final AtomicLong cutInTheMiddle = new AtomicLong();
    private final AtomicLong silencedInTheMiddle = new AtomicLong();

    public SocketProxy(int target) {
        this(loopback(0), loopback(target));
    }

    /**
     * A proxy of Unix sockets.
     *
     * @param path where to listen; the caller deletes it
     */
    public SocketProxy(Path path, Path target) {
        this(UnixDomainSocketAddress.of(path), UnixDomainSocketAddress.of(target));
    }

    private SocketProxy(SocketAddress listen, SocketAddress target) {
        this.target = target;
        try {
            this.entry = listen instanceof UnixDomainSocketAddress
                    ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    : ServerSocketChannel.open();
            entry.bind(listen);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public int port() {
        return entry.socket().getLocalPort();
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

    /** Sees each piece of a request before it is forwarded; the piece waits until the listener returns. */
    public void onRequest(Consumer<String> listener) {
        requests = listener;
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
        while (entry.isOpen()) {
            try {
                SocketChannel near = entry.accept();
                accepted.incrementAndGet();
                if (disconnected) {
                    end(near);
                    continue;
                }
                new Connection(near, SocketChannel.open(target)).start();
            } catch (IOException e) {
                // Closed, or the target does not listen; the client sees the same.
                if (!entry.isOpen()) {
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

        private final SocketChannel near;
        private final SocketChannel far;
        private final AtomicLong responded = new AtomicLong();
        private volatile boolean silenced = silent;

        Connection(SocketChannel near, SocketChannel far) {
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
            SocketProxy.end(near);
            SocketProxy.end(far);
        }

        private void copy(SocketChannel from, SocketChannel to, boolean response) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            try {
                while (from.read(buffer) >= 0) {
                    buffer.flip();
                    if (!silenced) {
                        forward(buffer, to, response);
                    }
                    buffer.clear();
                }
                while (silenced) {
                    // The end of one side does not reach the other either.
                    Thread.sleep(100);
                    if (!near.isOpen() || !far.isOpen()) {
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

        private void forward(ByteBuffer buffer, SocketChannel to, boolean response)
                throws IOException, InterruptedException {
            int length = buffer.remaining();
            int passed = length;
            if (response) {
                if (delayMillis > 0) {
                    Thread.sleep(delayMillis);
                }
                long before = responded.getAndAdd(length);
                passed = (int) Math.max(0, Math.min(length, Math.min(cutAfter, silentAfter) - before));
            } else {
                requests.accept(
                        StandardCharsets.ISO_8859_1.decode(buffer.duplicate()).toString());
            }
            buffer.limit(passed);
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
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
