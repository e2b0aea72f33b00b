package io.bucketwright.app.scenarios;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes bytes on to a server and counts who comes: whoever speaks to that server at all is counted. */
final class CountingProxy implements AutoCloseable {

    private final ServerSocket door;
    private final URI target;
    private final AtomicInteger connections = new AtomicInteger();

    CountingProxy(String target) {
        this.target = URI.create(target);
        try {
            this.door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("relay").start(this::accept);
    }

    String endpoint() {
        return "http://127.0.0.1:" + door.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        door.close();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket caller = door.accept();
                connections.incrementAndGet();
                Socket server = new Socket(target.getHost(), target.getPort());
                Thread.ofVirtual().start(() -> copy(caller, server));
                Thread.ofVirtual().start(() -> copy(server, caller));
            } catch (IOException closed) {
                // The loop's condition tells whether it was us.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // Either side may hang up.
        }
    }
}
