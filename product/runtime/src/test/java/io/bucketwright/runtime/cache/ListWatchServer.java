package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.connection.ScriptedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server on loopback that answers lists and watches with given bytes, also with those that no API server should send. */
final class ListWatchServer implements AutoCloseable {

    /** One response to the request with this head. Returns whether the connection can be used again. */
    interface Reply {
        boolean write(ScriptedServer.Peer peer, String head) throws IOException;
    }

    private static final int TEXT = 0x81;
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    private final Queue<Reply> lists = new ConcurrentLinkedQueue<>();
    private final Queue<Reply> watches = new ConcurrentLinkedQueue<>();
    private final ScriptedServer server = new ScriptedServer(this::serve);

    String url() {
        return server.url("");
    }

    /** Paths and queries, in order. */
    List<String> requests() {
        return server.requests().stream()
                .map(request -> request.substring("GET ".length()))
                .toList();
    }

    long lists() {
        return requests().stream().filter(request -> !isWatch(request)).count();
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
        return (peer, _) -> {
            peer.send(head(code, "Content-Length: " + bytes(body).length) + body);
            return true;
        };
    }

    /** A server that has too much to do. */
    static Reply throttled(int seconds) {
        return (peer, _) -> {
            peer.send(head(429, "Retry-After: " + seconds + "\r\nContent-Length: 0"));
            return true;
        };
    }

    /** A body of which only the first half arrives before the connection is closed. */
    static Reply cut(String body) {
        return cut(body, bytes(body).length / 2);
    }

    /** A body of which only so many bytes arrive before the connection is closed. */
    static Reply cut(String body, int length) {
        return (peer, _) -> {
            peer.send(head(200, "Content-Length: " + bytes(body).length));
            peer.send(Arrays.copyOf(bytes(body), length));
            return false;
        };
    }

    /** A body in one chunk, without the last chunk that says that this was all. */
    static Reply withoutEnd(String body) {
        return (peer, _) -> {
            peer.send(head(200, CHUNKED));
            sendChunk(peer, bytes(body));
            return false;
        };
    }

    /** A watch over a WebSocket that sends these events and stays open. */
    static Reply events(String... events) {
        return (peer, head) -> {
            sendEvents(peer, head, List.of(events));
            peer.awaitClosed();
            return false;
        };
    }

    /** The same, and then the connection is closed in the middle of the last event. */
    static Reply eventsThenCut(String... events) {
        return (peer, head) -> {
            int last = events.length - 1;
            sendEvents(peer, head, List.of(events).subList(0, last));
            byte[] frame = ScriptedServer.frame(TEXT, events[last]);
            peer.send(Arrays.copyOf(frame, frame.length / 2));
            return false;
        };
    }

    /** A watch over a WebSocket that the server closes properly after these events. */
    static Reply eventsThenClose(String... events) {
        return (peer, head) -> {
            sendEvents(peer, head, List.of(events));
            peer.send(new byte[] {(byte) 0x88, 2, 1000 >> 8, (byte) 1000});
            peer.awaitClosed();
            return false;
        };
    }

    private static void sendEvents(ScriptedServer.Peer peer, String head, List<String> events) throws IOException {
        peer.upgrade(head);
        for (String event : events) {
            peer.sendFrame(TEXT, event);
        }
    }

    /** A watch over a plain response, one event in each line, that stays open. */
    static Reply lines(String... events) {
        return (peer, _) -> {
            peer.send(head(200, CHUNKED));
            for (String event : events) {
                byte[] line = bytes(event + "\n");
                // In two parts, as a network may deliver it.
                sendChunk(peer, Arrays.copyOf(line, 10));
                sendChunk(peer, Arrays.copyOfRange(line, 10, line.length));
            }
            peer.awaitClosed();
            return false;
        };
    }

    private static void sendChunk(ScriptedServer.Peer peer, byte[] chunk) throws IOException {
        peer.send(Integer.toHexString(chunk.length) + "\r\n");
        peer.send(chunk);
        peer.send("\r\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String head(int code, String framing) {
        return "HTTP/1.1 " + code + " Answer\r\nContent-Type: application/json\r\n" + framing + "\r\n\r\n";
    }

    private void serve(ScriptedServer.Peer peer) throws IOException {
        boolean again = true;
        while (again) {
            String head = peer.request();
            boolean watch = isWatch(head);
            Reply next = (watch ? watches : lists).poll();
            Reply otherwise = watch ? events() : json(500, "no more replies");
            again = (next == null ? otherwise : next).write(peer, head);
        }
    }

    private static boolean isWatch(String request) {
        return request.contains("watch=true");
    }

    @Override
    public void close() {
        server.close();
    }
}
