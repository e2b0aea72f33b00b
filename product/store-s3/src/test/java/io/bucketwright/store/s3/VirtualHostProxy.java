package io.bucketwright.store.s3;

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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP proxy to servers on this machine, whatever host a request names. It refuses requests to S3 that do not have the
 * bucket in the host name, as some providers do.
 */
final class VirtualHostProxy implements AutoCloseable {

    static final String DOMAIN = "s3.localhost";

    private static final String REFUSED =
            "<Error><Code>SecondLevelDomainForbidden</Code><Message>Please use virtual hosted"
                    + " style to access.</Message></Error>";

    /** The first lines of requests. */
    final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    VirtualHostProxy() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    /** One request per connection. */
    private void serve(Socket client) {
        try (client) {
            List<String> head = head(client.getInputStream()).lines().toList();
            String[] line = head.getFirst().split(" ", 3);
            URI target = URI.create(line[1]);
            requests.add(line[0] + " " + target);
            // An empty path is the same as a slash (RFC 9110, 4.2.3); the JDK sends it to proxies.
            String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
            if (target.getHost().equals(DOMAIN) && !path.equals("/")) {
                respond(client, REFUSED);
                return;
            }
            try (Socket store = new Socket(InetAddress.getLoopbackAddress(), target.getPort())) {
                String file = path + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
                StringBuilder request = new StringBuilder(line[0] + " " + file + " HTTP/1.1\r\nConnection: close\r\n");
                head.stream()
                        .skip(1)
                        .filter(header -> !header.matches("(?i)(proxy-)?connection:.*"))
                        .forEach(header -> request.append(header).append("\r\n"));
                store.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                threads.execute(() -> copy(client, store));
                store.getInputStream().transferTo(client.getOutputStream());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The response is complete, and both are closed.
        }
    }

    private static String head(InputStream input) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = input.read();
            if (next < 0) {
                throw new IOException("incomplete request");
            }
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1).strip();
    }

    private static void respond(Socket client, String body) throws IOException {
        OutputStream output = client.getOutputStream();
        output.write(
                ("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.ISO_8859_1));
        output.flush();
    }
}
