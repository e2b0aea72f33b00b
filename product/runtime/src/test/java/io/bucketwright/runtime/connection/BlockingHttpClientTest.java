package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent once, to servers that misbehave. */
class BlockingHttpClientTest {

    private static final Duration TIMEOUT = Duration.ofMillis(700);

    /** Long before other requests end. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final TestClient client = TestClient.open(time, Keepalive.standard(), _ -> {});

    private final List<String> heads = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void sendsRequestsOnOneConnection() {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answerAll)) {
            assertThat(client.post(server.url("/a?b=c%20d"), "{\"ä\":1}")).isEqualTo("200 ok");
            assertThat(client.get(server.url(""))).isEqualTo("200 ok");
            assertThat(server.requests()).containsExactly("POST /a?b=c%20d {\"ä\":1}", "GET /");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void sendsTheHeadersOfTheRequest() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            heads.add(peer.request());
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        })) {
            client.send(client.request(server.url("/"))
                    .header("X-Two", "1")
                    .header("X-Two", "2")
                    .method("DELETE", "application/json", "{}"));
            assertThat(heads.getFirst())
                    .startsWith("DELETE / HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n")
                    .contains("X-Two: 1\r\nX-Two: 2\r\n")
                    .contains("Content-Type: application/json\r\nContent-Length: 2\r\n")
                    .doesNotContain("Accept-Encoding");
        }
    }

    @Test
    void aHeaderCannotContainAnotherLine() {
        assertThatThrownBy(
                        () -> client.send(client.request("http://127.0.0.1:9/").header("X", "geheim\r\nY: z")))
                .hasMessageContaining("The header X contains a character that cannot be sent")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aConnectionThatTheServerClosedWhileIdleIsNotUsed() {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answer, ScriptedServer.Peer::answerAll)) {
            client.get(server.url("/first"));
            server.awaitClosed();
            assertThat(client.post(server.url("/second"), "x")).isEqualTo("200 ok");
            assertThat(server.requests()).containsExactly("GET /first", "POST /second x");
        }
    }

    @Test
    void aConnectionOnWhichSomethingArrivedWhileIdleIsNotUsed() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(
                peer -> {
                    peer.answer();
                    peer.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
                    arrived.countDown();
                    peer.awaitClosed();
                },
                ScriptedServer.Peer::answerAll)) {
            client.get(server.url("/first"));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(client.post(server.url("/second"), "x")).isEqualTo("200 ok");
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterAWhile() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.answer();
            peer.awaitClosed();
        })) {
            client.get(server.url("/"));
            time.advance(Duration.ofSeconds(40));
            server.awaitClosedByClient();
        }
    }

    @Test
    void withoutAMonitorTheNextRequestClosesAnIdleConnection() {
        ConnectionMonitor notStarted = new ConnectionMonitor(Keepalive.standard(), time, Runnable::run);
        try (ScriptedServer server = new ScriptedServer(peer -> {
                    peer.answer();
                    peer.awaitClosed();
                });
                TestClient command = TestClient.open(notStarted, _ -> {})) {
            command.get(server.url("/first"));
            time.advance(Duration.ofSeconds(40));
            command.get(server.url("/second"));
            server.awaitClosedByClient();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void aWriteIsNeverSentTwice(String method) {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.answer();
            peer.request();
        })) {
            client.get(server.url("/first"));
            assertThatThrownBy(() ->
                            client.send(client.request(server.url("/second")).method(method, "text/plain", "x")))
                    .hasCauseInstanceOf(IOException.class);
            assertThat(server.requests()).containsExactly("GET /first", method + " /second x");
        }
    }

    @Test
    void aReadIsRepeatedOnceIfItsConnectionWasClosedInThatMoment() {
        ScriptedServer.Script unanswered = peer -> {
            peer.answer();
            peer.request();
        };
        try (ScriptedServer server = new ScriptedServer(unanswered, ScriptedServer.Peer::answerAll)) {
            client.get(server.url("/first"));
            assertThat(client.get(server.url("/second"))).isEqualTo("200 ok");
            assertThat(server.requests()).containsExactly("GET /first", "GET /second", "GET /second");
        }
    }

    @Test
    void aReadOnANewConnectionIsNotRepeated() {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::request)) {
            assertThatThrownBy(() -> client.get(server.url("/"))).hasCauseInstanceOf(EOFException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aReadIsNotRepeatedOnceItsResponseHasBegun() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.answer();
            peer.request();
            peer.send("HTTP/1.1 2");
        })) {
            client.get(server.url("/first"));
            assertThatThrownBy(() -> client.get(server.url("/second"))).hasCauseInstanceOf(EOFException.class);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"})
    void aResponseThatStallsEndsWithTheTimeout(String begin) {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            peer.send(begin);
            peer.awaitClosed();
        })) {
            long before = System.nanoTime();
            assertThatThrownBy(() -> client.post(server.url("/"), "x", TIMEOUT))
                    .hasCauseInstanceOf(SocketTimeoutException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(TIMEOUT.minusMillis(50), LONG);
            server.awaitClosedByClient();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aResponseThatTricklesEndsWithTheTimeout() {
        try (ScriptedServer server = new ScriptedServer(peer -> {
            peer.request();
            while (true) {
                peer.send("HTTP/1.1 100 Continue\r\n\r\n");
                Thread.sleep(50);
            }
        })) {
            assertThatThrownBy(() -> client.post(server.url("/"), "x", TIMEOUT))
                    .hasCauseInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aServerThatReadsNothingIsLeft() {
        try (ScriptedServer server = new ScriptedServer(_ -> Thread.sleep(Duration.ofMinutes(1)))) {
            CompletableFuture<String> sent = CompletableFuture.supplyAsync(
                    () -> client.post(server.url("/"), "x".repeat(16 << 20)), Thread::startVirtualThread);
            Awaitility.await().until(() -> {
                time.advance(Duration.ofSeconds(1));
                return sent.isDone();
            });
            assertThatThrownBy(sent::join).hasRootCauseInstanceOf(IOException.class);
            // Not before it had the time of a silent server.
            long silence = Keepalive.standard().silence().toNanos();
            assertThat(time.nanos()).isGreaterThan(silence);
        }
    }

    @Test
    void aServerThatReadsNothingIsLeftWhenTheRequestHasNoTimeLeft() {
        try (ScriptedServer server = new ScriptedServer(_ -> Thread.sleep(Duration.ofMinutes(1)))) {
            CompletableFuture<String> sent = CompletableFuture.supplyAsync(
                    () -> client.post(server.url("/"), "x".repeat(16 << 20), TIMEOUT), Thread::startVirtualThread);
            Awaitility.await().until(() -> {
                time.advance(Duration.ofSeconds(1));
                return sent.isDone();
            });
            assertThatThrownBy(sent::join).hasRootCauseInstanceOf(IOException.class);
            assertThat(time.nanos()).isLessThan(Keepalive.standard().silence().toNanos());
        }
    }

    @Test
    void theWholeResponseToAChangeHasTheDeadlineOfItsHead() {
        RequestSender sender = ((BlockingHttpClient) client.http()).sender();
        RequestSender.Limits change = sender.limits("POST", TIMEOUT);
        assertThat(change.whole()).isSameAs(change.head());
        RequestSender.Limits read = sender.limits("GET", TIMEOUT);
        assertThat(read.whole()).isNotSameAs(read.head());
    }

    @Test
    void aConnectionThatIsNotAcceptedFails() {
        int port;
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answer)) {
            port = server.port();
        }
        assertThatThrownBy(() -> client.get("http://127.0.0.1:" + port + "/")).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void anInterceptorMayHaveARequestRepeatedOnce() {
        Interceptor renewal = new Interceptor() {
            @Override
            public CompletableFuture<Boolean> afterFailure(
                    BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
                builder.setHeader("Authorization", "Bearer new");
                return CompletableFuture.completedFuture(response.code() == 401);
            }
        };
        try (TestClient renewing = TestClient.open(
                        time, Keepalive.standard(), http -> http.addOrReplaceInterceptor("TOKEN", renewal));
                ScriptedServer server = new ScriptedServer(peer -> {
                    while (true) {
                        heads.add(peer.request());
                        peer.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
                    }
                })) {
            assertThat(renewing.post(server.url("/"), "x")).isEqualTo("401 ");
            assertThat(server.requests()).containsExactly("POST / x", "POST / x");
            assertThat(heads.getFirst()).doesNotContain("Authorization");
            assertThat(heads.getLast()).contains("Authorization: Bearer new\r\n");
        }
    }

    @Test
    void aClosedClientSendsNothing() {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.Peer::answerAll)) {
            client.get(server.url("/"));
            client.http().close();
            assertThatThrownBy(() -> client.post(server.url("/"), "x")).hasMessageContaining("The client is closed");
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** A program that uses a library of ours has chosen its HTTP client, and keeps it. */
    @Test
    void theClientIsNoServiceOfTheLibrary() {
        assertThat(ServiceLoader.load(HttpClient.Factory.class))
                .noneMatch(factory -> factory instanceof BlockingClientFactory);
    }
}
