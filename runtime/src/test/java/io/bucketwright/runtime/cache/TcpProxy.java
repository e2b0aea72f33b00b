package io.bucketwright.runtime.cache;

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

/** A TCP proxy to a port of this machine whose connections a test can break. */
final class TcpProxy implements AutoCloseable {

    private final ServerSocket entry;
    private final int target;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean disconnected;

    TcpProxy(int target) {
        this.target = target;
        try {
            this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    void disconnect() {
        disconnected = true;
        connections.forEach(TcpProxy::end);
        connections.clear();
    }

    void reconnect() {
        disconnected = false;
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
                if (disconnected) {
                    end(near);
                    continue;
                }
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                connections.add(near);
                connections.add(far);
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
            } catch (IOException e) {
                // Closed, or the target does not listen; the client sees the same.
                if (entry.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One end is closed; the other is closed too.
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
