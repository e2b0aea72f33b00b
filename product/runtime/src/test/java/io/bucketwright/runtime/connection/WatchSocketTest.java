package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets of watches. */
class WatchSocketTest {

    private static final String WATCH = "/api/v1/configmaps?watch=true";
    private static final int TEXT = 0x81;
    private static final int TEXT_BEGINS = 0x01;
    private static final int CONTINUES = 0x00;
    private static final int CONTINUES_LAST = 0x80;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;

    private final ManualTime time = new ManualTime();
    private final TestClient client = TestClient.open(time, Keepalive.standard(), _ -> {});
    private final List<String> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        client.close();
    }

    /** Records each event, and requests the next message after each one but {@code wait}. */
    private final class Recorder implements WebSocket.Listener {
        @Override
        public void onOpen(WebSocket socket) {
            events.add("open");
        }

        @Override
        public void onMessage(WebSocket socket, ByteBuffer bytes) {
            String message = StandardCharsets.UTF_8.decode(bytes).toString();
            events.add("message " + message);
            if (!message.equals("wait")) {
                socket.request();
            }
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason) {
            events.add("close " + code + " " + reason);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            events.add("error " + error.getMessage());
        }
    }

    private static ScriptedServer.Script watch(ScriptedServer.Script then) {
        return peer -> {
            peer.upgrade(peer.request());
            then.serve(peer);
        };
    }

    /** Reads a frame of the client: opcode, and payload without its mask. */
    private static String frame(ScriptedServer.Peer peer) throws IOException {
        int opcode = peer.next() & 0x0f;
        int length = peer.next();
        assertThat(length & 0x80).as("masked").isNotZero();
        byte[] mask = peer.bytes(4);
        byte[] payload = peer.bytes(length & 0x7f);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return opcode + " " + new String(payload, StandardCharsets.ISO_8859_1);
    }

    private WebSocket open(ScriptedServer server) throws Exception {
        return open(server, client.http());
    }

    private WebSocket open(ScriptedServer server, TrackedWatch watch) throws Exception {
        return open(server, client.http().newBuilder().tag(watch).build());
    }

    private WebSocket open(ScriptedServer server, HttpClient http) throws Exception {
        return http.newWebSocketBuilder()
                .uri(URI.create(server.url(WATCH)))
                .header("Origin", "x")
                .buildAsync(new Recorder())
                .get(1, TimeUnit.MINUTES);
    }

    private void awaitEvents(String... expected) {
        Awaitility.await().untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    @Test
    void theKeyOfTheStandardIsAccepted() {
        assertThat(new Handshake("dGhlIHNhbXBsZSBub25jZQ==").accepted()).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    @Test
    void messagesArriveWholeAndControlFramesBetweenTheirFragments() throws Exception {
        AtomicReference<String> pong = new AtomicReference<>("");
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.sendFrame(TEXT, "one ä");
            peer.sendFrame(TEXT_BEGINS, "tw");
            peer.sendFrame(PING, "are you there");
            peer.sendFrame(CONTINUES, "");
            peer.sendFrame(CONTINUES_LAST, "o");
            peer.sendFrame(BINARY, "three");
            pong.set(frame(peer));
            peer.awaitClosed();
        }))) {
            open(server);
            awaitEvents("open", "message one ä", "message two", "message three");
            Awaitility.await().until(() -> pong.get().equals("10 are you there"));
        }
    }

    @Test
    void largeMessagesArrive() throws Exception {
        String middle = "x".repeat(300);
        String large = "x".repeat(3_000_000);
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.send(new byte[] {(byte) TEXT, 126, 1, 44});
            peer.send(middle);
            peer.send(new byte[] {(byte) TEXT, 127, 0, 0, 0, 0, 0, 0x2d, (byte) 0xc6, (byte) 0xc0});
            peer.send(large);
            peer.awaitClosed();
        }))) {
            open(server);
            awaitEvents("open", "message " + middle, "message " + large);
        }
    }

    @Test
    void aMessageIsDeliveredOnlyOnRequest() throws Exception {
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.sendFrame(TEXT, "wait");
            peer.sendFrame(TEXT, "next");
            peer.awaitClosed();
        }))) {
            WebSocket socket = open(server);
            awaitEvents("open", "message wait");
            // The consumer is slow, not the server.
            time.advance(Keepalive.standard().silence().multipliedBy(3));
            events.add("request");
            socket.request();
            awaitEvents("open", "message wait", "request", "message next");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000 normal", "1001 going away", "1011 internal error"})
    void theServerClosesIt(String farewell) throws Exception {
        int code = Integer.parseInt(farewell.substring(0, 4));
        String reason = farewell.substring(5);
        AtomicReference<String> answer = new AtomicReference<>("");
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.send(new byte[] {(byte) CLOSE, (byte) (2 + reason.length()), (byte) (code >> 8), (byte) code});
            peer.send(reason);
            answer.set(frame(peer));
            peer.awaitClosed();
        }))) {
            open(server);
            awaitEvents("open", "close " + code + " " + reason);
            server.awaitClosedByClient();
            assertThat(answer.get()).startsWith("8 ").endsWith(reason);
        }
    }

    @Test
    void aCloseWithoutCodeIsAnsweredAsNormal() throws Exception {
        AtomicReference<String> answer = new AtomicReference<>("");
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.sendFrame(CLOSE, "");
            answer.set(frame(peer));
            peer.awaitClosed();
        }))) {
            open(server);
            awaitEvents("open", "close 1005 ");
            server.awaitClosedByClient();
            assertThat(answer.get()).isEqualTo("8 \u0003\u00e8");
        }
    }

    @Test
    void theClientClosesItAndReadsTheAnswerWithoutDemand() throws Exception {
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.sendFrame(TEXT, "wait");
            peer.sendFrame(TEXT, "too late");
            assertThat(frame(peer)).isEqualTo("8 \u0003\u00e8Closing");
            peer.send(new byte[] {(byte) CLOSE, 2, 3, (byte) 0xe8});
            peer.awaitClosed();
        }))) {
            WebSocket socket = open(server);
            awaitEvents("open", "message wait");
            assertThat(socket.sendClose(1000, null)).isTrue();
            assertThat(socket.sendClose(1000, null)).isFalse();
            awaitEvents("open", "message wait", "close 1000 ");
            server.awaitClosedByClient();
        }
    }

    @Test
    void aServerThatDoesNotAnswerAFarewellIsLeft() throws Exception {
        try (ScriptedServer server = new ScriptedServer(watch(ScriptedServer.Peer::awaitClosed))) {
            WebSocket socket = open(server);
            assertThat(socket.sendClose(1000, "bye")).isTrue();
            time.advance(Duration.ofSeconds(70));
            awaitEvents("open", "close 1006 The server did not close the watch");
            server.awaitClosedByClient();
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            ''                      | closed the connection of a watch
            81                      | closed the connection of a watch
            8105 6161               | closed the connection of a watch
            817f 00000000ffffffff   | message of more than 67108864 bytes
            817f ffffffffffffffff   | message of more than 67108864 bytes
            0101 61 8101 61         | frame out of order
            8001 61                 | frame out of order
            8300                    | frame out of order
            c101 61                 | frame that was not negotiated
            8181 00000000 61        | frame that was not negotiated
            897e 0080               | malformed WebSocket control frame
            0900                    | malformed WebSocket control frame
            8b00                    | frame of an unknown kind
            """)
    void malformedFramesEndIt(String bytes, String error) throws Exception {
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            peer.send(HexFormat.of().parseHex(bytes.replace(" ", "")));
        }))) {
            open(server);
            Awaitility.await().untilAsserted(() -> assertThat(events).hasSize(2));
            assertThat(events.getLast()).startsWith("error The server ").endsWith(error);
        }
    }

    @Test
    void aRefusalIsReportedWithItsCode() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        })) {
            TrackedWatch watch = client.monitor().activity().track();
            assertThatThrownBy(() -> open(server, watch))
                    .cause()
                    .isInstanceOfSatisfying(
                            WebSocketHandshakeException.class,
                            refused -> assertThat(refused.getResponse().code()).isEqualTo(403));
            assertThat(watch.status().isRefused()).isTrue();
            assertThat(events).isEmpty();
        }
    }

    @Test
    void anAnswerToAnotherKeyIsRefused() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.upgraded("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            peer.awaitClosed();
        })) {
            assertThatThrownBy(() -> open(server)).hasMessageContaining("did not open a WebSocket");
            server.awaitClosedByClient();
        }
    }

    @Test
    void aSilentServerIsPingedAndThenLeft() throws Exception {
        List<String> pings = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = new ScriptedServer(watch(peer -> {
            for (int i = 0; i < 3; i++) {
                pings.add(frame(peer));
            }
            peer.sendFrame(PONG, "");
            peer.sendFrame(TEXT, "still here");
            peer.awaitClosed();
        }))) {
            TrackedWatch watch = client.monitor().activity().track();
            open(server, watch);
            time.advance(Duration.ofSeconds(15));
            awaitEvents("open", "message still here");
            assertThat(pings).containsExactly("9 ", "9 ", "9 ");
            assertThat(watch.status().silence()).isZero();
            time.advance(Duration.ofSeconds(15));
            awaitEvents("open", "message still here");
            time.advance(Duration.ofSeconds(10));
            awaitEvents(
                    "open",
                    "message still here",
                    "error The API server was silent for PT15S and did not answer a ping");
            server.awaitClosedByClient();
        }
    }
}
