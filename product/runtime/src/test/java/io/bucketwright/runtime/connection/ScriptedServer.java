package io.bucketwright.runtime.connection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.awaitility.Awaitility;

/** A server that treats each connection as the test says, without any rule of HTTP. */
public final class ScriptedServer implements AutoCloseable {

    /** What happens to one connection; it is closed afterwards. */
    @FunctionalInterface
    public interface Script {
        void serve(Peer peer) throws IOException, InterruptedException;
    }

    /** The other end of a connection. */
    public final class Peer {
        private final Socket socket;
        private final InputStream in;

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        /** Reads a request, records its first line and body, and returns its head. */
        public String request() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                bytes.write(next());
            }
            String head = bytes.toString(StandardCharsets.ISO_8859_1);
            int length = 0;
            for (String line : head.split("\r\n", -1)) {
                if (line.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(line.substring("Content-Length: ".length()));
                }
            }
            String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
            requests.add((head.substring(0, head.indexOf(" HTTP/1.1")) + " " + body).strip());
            return head;
        }

        int next() throws IOException {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the client closed the connection");
            }
            return next;
        }

        byte[] bytes(int count) throws IOException {
            return in.readNBytes(count);
        }

        public void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        public void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        /** Accepts the WebSocket that a request with this head asks for. */
        public void upgrade(String head) throws IOException {
            String key = head.lines()
                    .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("Sec-WebSocket-Key: ".length());
            upgraded(new Handshake(key).accepted());
        }

        void upgraded(String accepted) throws IOException {
            send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + accepted + "\r\n\r\n");
        }

        public void sendFrame(int first, String payload) throws IOException {
            send(frame(first, payload));
        }

        /** Answers requests until the client closes the connection. */
        void answerAll() throws IOException {
            while (true) {
                answer();
            }
        }

        void answer() throws IOException {
            request();
            send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }

        /** Waits until the client closes the connection. */
        public void awaitClosed() throws IOException {
            while (in.read() >= 0) {}
            closedByClient.add(this);
        }
    }

    /** A frame of a WebSocket; the first byte has the opcode. */
    public static byte[] frame(int first, String payload) {
        byte[] text = payload.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(10 + text.length).put((byte) first);
        if (text.length < 126) {
            frame.put((byte) text.length);
        } else if (text.length < 1 << 16) {
            frame.put((byte) 126).putShort((short) text.length);
        } else {
            frame.put((byte) 127).putLong(text.length);
        }
        frame.put(text);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private final ServerSocket server;
    private final List<Script> scripts;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Peer> closedByClient = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();

    /** A server that plays one script per connection, in that order, and the last one for all others. */
    public ScriptedServer(Script... scripts) {
        this(ServerSocketFactory.getDefault(), false, scripts);
    }

    ScriptedServer(SSLContext tls, Script... scripts) {
        this(tls.getServerSocketFactory(), false, scripts);
    }

    /** A server that closes the connection of a client without a certificate that it trusts. */
    static ScriptedServer ofKnownClients(SSLContext tls, Script... scripts) {
        return new ScriptedServer(tls.getServerSocketFactory(), true, scripts);
    }

    private ScriptedServer(ServerSocketFactory sockets, boolean onlyKnownClients, Script... scripts) {
        this.scripts = List.of(scripts);
        try {
            server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            if (onlyKnownClients) {
                ((SSLServerSocket) server).setNeedClientAuth(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Script script = scripts.get(Math.min(sockets.size(), scripts.size() - 1));
                sockets.add(socket);
                Thread.startVirtualThread(() -> {
                    try (socket) {
                        script.serve(new Peer(socket));
                    } catch (IOException | InterruptedException e) {
                        // The client closed it first.
                    }
                    closed.incrementAndGet();
                });
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    int port() {
        return server.getLocalPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    public List<String> requests() {
        return requests;
    }

    int connections() {
        return sockets.size();
    }

    /** Waits until the script of a connection has ended and the connection is closed. */
    void awaitClosed() {
        Awaitility.await().until(() -> closed.get() > 0);
    }

    void awaitClosedByClient() {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !closedByClient.isEmpty());
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
