package io.bucketwright.runtime.cache;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that answers lists and watches with given bytes, also with those that no API server should send. */
final class ListWatchServer implements AutoCloseable {

    /** One response. Returns whether the connection can be used again. */
    interface Reply {
        boolean write(OutputStream out, String webSocketKey) throws IOException;
    }

    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Queue<Reply> lists = new ConcurrentLinkedQueue<>();
    private final Queue<Reply> watches = new ConcurrentLinkedQueue<>();

    ListWatchServer() {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Paths and queries, in order. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    long lists() {
        return requests.stream().filter(request -> !isWatch(request)).count();
    }

    ListWatchServer list(Reply... replies) {
        lists.addAll(List.of(replies));
        return this;
    }

    /** Watches after these are accepted and stay silent. */
    ListWatchServer watch(Reply... replies) {
        watches.addAll(List.of(replies));
        return this;
    }

    static Reply json(int code, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return (out, _) -> {
            head(out, code, "Content-Type: application/json\r\nContent-Length: " + bytes.length);
            out.write(bytes);
            return true;
        };
    }

    /** A body of which only the first half arrives before the connection is closed. */
    static Reply cut(String body) {
        return cut(body, body.getBytes(StandardCharsets.UTF_8).length / 2);
    }

    /** A body of which only so many bytes arrive before the connection is closed. */
    static Reply cut(String body, int length) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return (out, _) -> {
            head(out, 200, "Content-Type: application/json\r\nContent-Length: " + bytes.length);
            out.write(bytes, 0, length);
            return false;
        };
    }

    /** A body in one chunk, without the last chunk that says that this was all. */
    static Reply withoutEnd(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return (out, _) -> {
            head(out, 200, "Content-Type: application/json\r\nTransfer-Encoding: chunked");
            out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            return false;
        };
    }

    /** A watch over a WebSocket that sends these events and stays open. */
    static Reply events(String... events) {
        return (out, key) -> {
            upgrade(out, key);
            for (String event : events) {
                frame(out, 1, event.getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            pause();
            return false;
        };
    }

    /** The same, and then the connection is closed in the middle of another event. */
    static Reply eventsThenCut(String... events) {
        return (out, key) -> {
            upgrade(out, key);
            for (int i = 0; i < events.length - 1; i++) {
                frame(out, 1, events[i].getBytes(StandardCharsets.UTF_8));
            }
            ByteArrayOutputStream last = new ByteArrayOutputStream();
            frame(last, 1, events[events.length - 1].getBytes(StandardCharsets.UTF_8));
            out.write(last.toByteArray(), 0, last.size() / 2);
            out.flush();
            return false;
        };
    }

    /** A watch over a WebSocket that the server closes properly after these events. */
    static Reply eventsThenClose(String... events) {
        return (out, key) -> {
            upgrade(out, key);
            for (String event : events) {
                frame(out, 1, event.getBytes(StandardCharsets.UTF_8));
            }
            frame(out, 8, ByteBuffer.allocate(2).putShort((short) 1000).array());
            out.flush();
            pause();
            return false;
        };
    }

    /** A watch over a plain response, one event in each line, that stays open. */
    static Reply lines(String... events) {
        return (out, _) -> {
            head(out, 200, "Content-Type: application/json\r\nTransfer-Encoding: chunked");
            for (String event : events) {
                byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
                // In two parts, as a network may deliver it.
                for (byte[] part : List.of(copy(line, 0, 10), copy(line, 10, line.length))) {
                    out.write((Integer.toHexString(part.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                    out.write(part);
                    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                }
            }
            pause();
            return false;
        };
    }

    private static byte[] copy(byte[] bytes, int from, int to) {
        byte[] part = new byte[to - from];
        System.arraycopy(bytes, from, part, 0, part.length);
        return part;
    }

    private static void head(OutputStream out, int code, String headers) throws IOException {
        out.write(("HTTP/1.1 " + code + " Answer\r\n" + headers + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void upgrade(OutputStream out, String key) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            head(
                    out,
                    101,
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                            + Base64.getEncoder().encodeToString(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void frame(OutputStream out, int opcode, byte[] payload) throws IOException {
        out.write(0x80 | opcode);
        if (payload.length < 126) {
            out.write(payload.length);
        } else if (payload.length < 1 << 16) {
            out.write(126);
            out.write(ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            out.write(127);
            out.write(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        out.write(payload);
    }

    private static void pause() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean again = true;
            while (again) {
                String request = line(in).split(" ", -1)[1];
                String key = "";
                for (String header = line(in); !header.isEmpty(); header = line(in)) {
                    if (header.startsWith("Sec-WebSocket-Key: ")) {
                        key = header.substring("Sec-WebSocket-Key: ".length());
                    }
                }
                requests.add(request);
                OutputStream out = socket.getOutputStream();
                again = reply(request).write(out, key);
                out.flush();
            }
        } catch (IOException e) {
            // The client has closed the connection.
        }
    }

    private Reply reply(String request) {
        Queue<Reply> replies = isWatch(request) ? watches : lists;
        Reply next = replies.poll();
        if (next != null) {
            return next;
        }
        return isWatch(request) ? events() : json(500, "no more replies");
    }

    private static boolean isWatch(String request) {
        return request.contains("watch=true");
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("end of the connection");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
