package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Responses that are passed on in parts: lists, and watches without WebSocket. */
class StreamedBodyTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Keepalive IMPATIENT = new Keepalive(Duration.ofMillis(100), Duration.ofMillis(300));

    private final ManualTime time = new ManualTime();
    private final TestClient client = TestClient.open(time, IMPATIENT, _ -> {});
    private final List<String> parts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        client.close();
    }

    private HttpResponse<AsyncBody> open(String url) {
        return open(client.http(), url);
    }

    private HttpResponse<AsyncBody> open(HttpClient http, String url) {
        return http.consumeBytes(client.request(url).build(), (buffers, _) -> parts.add(text(buffers)))
                .join();
    }

    private static String text(List<ByteBuffer> buffers) {
        StringBuilder text = new StringBuilder();
        buffers.forEach(buffer -> text.append(StandardCharsets.UTF_8.decode(buffer)));
        return text.toString();
    }

    private void awaitParts(String... expected) {
        Awaitility.await().untilAsserted(() -> assertThat(parts).containsExactly(expected));
    }

    @Test
    void eachPartIsDeliveredOnRequest() throws Exception {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(CHUNKED + "3\r\nabc\r\n");
            peer.send("3\r\ndef\r\n0\r\n\r\n");
            peer.answerAll();
        })) {
            AsyncBody body = open(server.url("/")).body();
            assertThat(parts).isEmpty();
            body.consume();
            awaitParts("abc");
            body.consume();
            awaitParts("abc", "def");
            assertThat(body.done()).isNotDone();
            body.consume();
            body.done().get(1, TimeUnit.MINUTES);
            client.get(server.url("/"));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void cancellingClosesTheConnection() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(CHUNKED + "3\r\nabc\r\n");
            peer.awaitClosed();
        })) {
            AsyncBody body = open(server.url("/")).body();
            body.consume();
            body.consume();
            awaitParts("abc");
            body.cancel();
            server.awaitClosedByClient();
            assertThat(body.done()).isCancelled();
        }
    }

    @Test
    void aBodyThatStopsInTheMiddleFails() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(CHUNKED + "9\r\nabc");
            peer.awaitClosed();
        })) {
            AsyncBody body = open(server.url("/")).body();
            body.consume();
            body.consume();
            assertThatThrownBy(() -> body.done().get(1, TimeUnit.MINUTES))
                    .hasMessageContaining("The response stopped in the middle: nothing was received for PT0.3S");
            server.awaitClosedByClient();
        }
    }

    @Test
    void aConsumerThatTakesItsTimeIsNoSilence() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answerAll)) {
            AsyncBody body = open(server.url("/")).body();
            Thread.sleep(2 * IMPATIENT.silence().toMillis());
            body.consume();
            body.consume();
            body.done().get(1, TimeUnit.MINUTES);
            assertThat(parts).containsExactly("ok");
        }
    }

    @Test
    void aConsumerThatFailsClosesTheConnection() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(CHUNKED + "3\r\nabc\r\n");
            peer.awaitClosed();
        })) {
            AsyncBody body = client.http()
                    .consumeBytes(client.request(server.url("/")).build(), (_, _) -> {
                        throw new IllegalStateException("broken consumer");
                    })
                    .join()
                    .body();
            body.consume();
            assertThatThrownBy(() -> body.done().get(1, TimeUnit.MINUTES)).hasMessageContaining("broken consumer");
            server.awaitClosedByClient();
        }
    }

    @Test
    void aWatchWithoutWebSocketIsActivity() {
        String path = "/api/v1/configmaps?watch=true";
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(CHUNKED + "3\r\nabc\r\n");
            peer.awaitClosed();
        })) {
            TrackedWatch watch = client.monitor().activity().track();
            time.advance(Duration.ofMinutes(1));
            assertThat(watch.status().lost()).isTrue();
            HttpClient tagged = client.http().newBuilder().tag(watch).build();
            open(tagged, server.url(path)).body().consume();
            awaitParts("abc");
            assertThat(watch.status().code()).isEqualTo(200);
            time.advance(Duration.ofMinutes(1));
            assertThat(watch.status().lost()).isFalse();
        }
    }
}
