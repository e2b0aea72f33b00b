package io.bucketwright.runtime.http;

import io.bucketwright.runtime.http.OpenConnections.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections of any client in the network and answers one GET on each of them. Each client can hold a small part of
 * the memory of this process for a short time, and none can keep the others from being answered. The HTTP server of the JDK
 * closes new connections at its limit: the connections of one client would lock out the probes of the kubelet.
 */
final class StatusListener implements AutoCloseable {

    /** The response to a request. */
    record Page(int code, String contentType, String body) {

        static Page plain(int code, String text) {
            return new Page(code, "text/plain; charset=utf-8", text + "\n");
        }
    }

    /** What is served at a path. */
    interface Content {

        Page get(String path, Connection connection);
    }

    private static final Logger log = LoggerFactory.getLogger(StatusListener.class);

    static final int MOST_CONNECTIONS = 64;
    /** From the connection to the end of the response. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    /** The request line and the headers. */
    private static final int LONGEST_REQUEST = 8 * 1024;

    private static final String END = "\r\n\r\n";

    /** Connections that the kernel keeps until they are accepted. */
    private static final int BACKLOG = 1024;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocket listener;
    private final Content content;
    private final OpenConnections open = new OpenConnections(MOST_CONNECTIONS);
    /** A connection that was closed has a thread until that notices. */
    private final Semaphore threads = new Semaphore(2 * MOST_CONNECTIONS);

    StatusListener(InetSocketAddress address, Content content) throws IOException {
        this.content = content;
        this.listener = new ServerSocket();
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
        Thread.ofPlatform().name("status-server").start(this::acceptAll);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            log.debug("Closing the status server: {}", e.getMessage());
        }
        open.closeAll();
    }

    private void acceptAll() {
        try {
            while (!listener.isClosed()) {
                accept();
            }
        } catch (InterruptedException e) {
            log.debug("The status server was interrupted");
        }
        open.closeAll();
    }

    private void accept() throws InterruptedException {
        if (!threads.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
            closeLate();
            return;
        }
        boolean started = false;
        try {
            listener.setSoTimeout(closeLate());
            Socket socket = listener.accept();
            Connection accepted = new Connection(socket, socket.getInetAddress(), System.nanoTime());
            open.add(accepted);
            Thread.ofVirtual().name("status").start(() -> serve(accepted));
            started = true;
        } catch (SocketTimeoutException e) {
            log.trace("The oldest connection is late");
        } catch (IOException e) {
            if (!listener.isClosed()) {
                log.warn("Cannot accept a connection for /livez, /readyz or /metrics: {}", e.getMessage());
                Thread.sleep(PAUSE);
            }
        } finally {
            if (!started) {
                threads.release();
            }
        }
    }

    /** Closes connections that last too long. Returns the milliseconds until the next one is late, 0 if there is none. */
    private int closeLate() {
        for (Optional<Connection> first = open.oldest(); first.isPresent(); first = open.oldest()) {
            Connection oldest = first.get();
            long left = oldest.nanos() + LONGEST.toNanos() - System.nanoTime();
            if (left > 0) {
                return (int) (left / 1_000_000) + 1;
            }
            open.remove(oldest);
            oldest.close();
        }
        return 0;
    }

    private void serve(Connection connection) {
        try (connection) {
            Page page = page(connection);
            byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
            OutputStream out = connection.socket().getOutputStream();
            out.write(head(page, body.length).getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
        } catch (IOException e) {
            log.debug("A connection of {} ended early: {}", connection.client(), e.getMessage());
        } finally {
            open.remove(connection);
            threads.release();
        }
    }

    private static String head(Page page, int length) {
        return "HTTP/1.1 " + page.code() + " \r\n"
                + "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)) + "\r\n"
                + "Content-Type: " + page.contentType() + "\r\n"
                + "Content-Length: " + length + "\r\n"
                + "Connection: close\r\n\r\n";
    }

    private Page page(Connection connection) throws IOException {
        String request = read(connection.socket().getInputStream());
        if (request.length() == LONGEST_REQUEST) {
            return Page.plain(431, "the request is too long");
        }
        String[] line = request.lines().findFirst().orElse("").split(" ", -1);
        if (line.length != 3 || !line[2].startsWith("HTTP/1.")) {
            return Page.plain(400, "not a request of HTTP/1.1");
        }
        if (!line[0].equals("GET")) {
            return Page.plain(405, "GET only");
        }
        try {
            return content.get(line[1].split("\\?", 2)[0], connection);
        } catch (RuntimeException e) {
            log.warn("Cannot serve a request for the status of this process; please report this", e);
            return Page.plain(500, "failed");
        }
    }

    /** The request line and the headers, or as much as may be read of them. */
    private static String read(InputStream in) throws IOException {
        byte[] buffer = new byte[LONGEST_REQUEST];
        int length = 0;
        while (length < buffer.length) {
            int count = in.read(buffer, length, buffer.length - length);
            if (count < 0) {
                throw new IOException("the request ended early");
            }
            int from = Math.max(0, length - END.length() + 1);
            length += count;
            int end = new String(buffer, from, length - from, StandardCharsets.ISO_8859_1).indexOf(END);
            if (end >= 0) {
                return new String(buffer, 0, from + end, StandardCharsets.ISO_8859_1);
            }
        }
        return new String(buffer, StandardCharsets.ISO_8859_1);
    }
}
