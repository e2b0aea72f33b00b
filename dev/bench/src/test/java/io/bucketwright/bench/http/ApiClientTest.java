package io.bucketwright.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.Watcher.Action;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and watches, as a server receives them. */
class ApiClientTest {

    private static final String CLAIMS = "/apis/objectbucket.io/v1alpha1/namespaces/photos/objectbucketclaims";
    private static final String VOLUMES = "/api/v1/persistentvolumes";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();

    private HttpServer server;
    private ApiClient client;

    ApiClientTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withOauthToken("secret")
                .build();
        client = ApiClient.of(config);
    }

    @BeforeEach
    void start() {
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void aRequestHasItsTypeItsBodyAndTheTokenAndIsNotRepeated() throws IOException {
        assertThat(client.send("PATCH", CLAIMS + "/a/status", "application/merge-patch+json", "{\"status\":1}")
                        .json()
                        .path("path")
                        .asText())
                .isEqualTo(CLAIMS + "/a/status");
        assertThat(client.send("DELETE", CLAIMS + "/busy", "application/json", "")
                        .code())
                .isEqualTo(503);
        assertThat(requests)
                .containsExactly(
                        "PATCH " + CLAIMS + "/a/status application/merge-patch+json Bearer secret {\"status\":1}",
                        "DELETE " + CLAIMS + "/busy application/json Bearer secret ");
    }

    @Test
    void anErrorShowsTheMessageAndNothingElseOfTheBody() {
        PlainResponse refused = new PlainResponse("GET /x", 403, "{\"message\":\"no\",\"data\":\"c2VjcmV0\"}");
        assertThatThrownBy(refused::require)
                .isInstanceOf(IOException.class)
                .hasMessage("GET /x was answered with 403: no");
    }

    @Test
    void aServerThatDoesNotAnswerIsAnError() {
        server.stop(0);
        assertThatThrownBy(() -> client.get("/version"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("GET /version was not answered: ");
    }

    @Test
    void aWatchGoesOnFromTheVersionOfTheList() throws Exception {
        for (String path : List.of(CLAIMS, VOLUMES)) {
            try (ObjectWatch watch = client.watch(path, events::add)) {
                WatchEvent event = events.take();
                assertThat(event.action()).isEqualTo(Action.MODIFIED);
                assertThat(event.name()).isEqualTo("a");
                assertThat(event.isDeletion()).isFalse();
                assertThat(event.text("status", "phase")).isEqualTo("Bound");
                assertThat(event.text("spec", "claimRef", "name")).isEmpty();
                watch.requireRunning();
            }
        }
        assertThat(requests).anyMatch(request -> request.startsWith("GET " + CLAIMS + "?limit=1"));
        assertThat(requests).anyMatch(request -> request.startsWith("GET " + VOLUMES + "?limit=1"));
    }

    @Test
    void aWatchWhoseVersionHasExpiredIsReported() throws Exception {
        try (ObjectWatch watch = client.watch("/api/v1/namespaces/gone/secrets", events::add)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            watch.requireRunning();
                            Thread.sleep(10);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("The watch on /api/v1/namespaces/gone/secrets failed: ")
                    .hasMessageContaining("too old");
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String uri = exchange.getRequestURI().toString();
        String path = exchange.getRequestURI().getPath();
        requests.add(String.join(
                " ",
                exchange.getRequestMethod(),
                uri,
                String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
                exchange.getRequestHeaders().getFirst("Authorization"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        try (OutputStream out = body(exchange, path.endsWith("/busy") ? 503 : 200)) {
            if (!uri.contains("watch=true")) {
                write(out, "{\"path\":\"%s\",\"metadata\":{\"resourceVersion\":\"7\"}}".formatted(path));
            } else if (path.contains("/gone/")) {
                write(out, """
                        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,\
                        "reason":"Expired","message":"too old"}}
                        """);
            } else if (uri.contains("resourceVersion=7")) {
                write(out, """
                        {"type":"MODIFIED","object":{"kind":"Any","apiVersion":"v1","metadata":{"name":"a",\
                        "resourceVersion":"8"},"status":{"phase":"Bound"}}}
                        """);
                events(out);
            }
        }
    }

    /** Until the client closes the connection. */
    private static void events(OutputStream out) throws IOException {
        while (true) {
            write(out, "\n");
        }
    }

    private static OutputStream body(HttpExchange exchange, int code) throws IOException {
        exchange.sendResponseHeaders(code, 0);
        return exchange.getResponseBody();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
