package io.bucketwright.buckets;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** A proxy for http, as in the class parameter {@code proxy}: each connection is forwarded to the host of its first request. */
final class ForwardProxy implements AutoCloseable {

    private final ServerSocket server;
    private final AtomicLong connections = new AtomicLong();

    ForwardProxy() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("forward-proxy").start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** How many connections were forwarded. */
    long connections() {
        return connections.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> forward(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void forward(Socket client) {
        try (client) {
            String line = firstLine(client.getInputStream());
            URI target = URI.create(line.split(" ", 3)[1]);
            try (Socket store = new Socket(target.getHost(), target.getPort())) {
                connections.incrementAndGet();
                store.getOutputStream().write(line.getBytes(StandardCharsets.ISO_8859_1));
                Thread answers = Thread.ofVirtual().start(() -> copy(store, client));
                copy(client, store);
                answers.join();
            }
        } catch (IOException | InterruptedException | IllegalArgumentException ended) {
            // The client gets no answer.
        }
    }

    private static String firstLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            line.write(next);
            if (next == '\n') {
                break;
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Ends both directions when one ends. */
    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            long _ = from.getInputStream().transferTo(out);
        } catch (IOException ended) {
            // The other side closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
