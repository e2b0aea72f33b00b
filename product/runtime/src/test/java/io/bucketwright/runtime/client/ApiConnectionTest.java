package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.connection.ScriptedServer;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The guarantees of the client, against a server that returns given responses. */
class ApiConnectionTest {

    private record Reply(int code, String retryAfter, String body) {}

    private static final Reply FOUND =
            new Reply(200, "", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}");

    private final SystemTime time = new SystemTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final AtomicReference<List<Reply>> replies = new AtomicReference<>(List.of());
    private final ScriptedServer server = new ScriptedServer(this::respond);
    private final List<String> requests = server.requests();
    private final ApiConnection connection =
            new ApiConnection(config(), Keepalive.standard(), time, meters, UnaryOperator.identity());

    private void respond(ScriptedServer.Peer peer) throws IOException {
        while (true) {
            heads.add(peer.request());
            List<Reply> left = replies.get();
            Reply reply = left.getFirst();
            replies.set(left.size() > 1 ? left.subList(1, left.size()) : left);
            String wait = reply.retryAfter().isEmpty() ? "" : "Retry-After: " + reply.retryAfter() + "\r\n";
            int length = reply.body().getBytes(StandardCharsets.UTF_8).length;
            peer.send("HTTP/1.1 " + reply.code() + " Reply\r\n" + wait + "Content-Length: " + length + "\r\n\r\n"
                    + reply.body());
        }
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
        time.close();
    }

    @Test
    void aProxyIsNotUsedForLoopback() {
        reply(FOUND);
        assertThat(connection.objects().read(ConfigMap.class, "ns", "a"))
                .hasValueSatisfying(
                        read -> assertThat(read.getMetadata().getName()).isEqualTo("a"));
    }

    @Test
    void theReaderRefusesToChangeAnything() {
        Transport transport = connection.objects().transport();
        assertThatThrownBy(() -> transport.send(
                        "Creating ns/a", "POST", "api/v1/namespaces/ns/configmaps", Transport.JSON, "{}"))
                .hasMessageContaining("this process is not the leader");
        assertThat(requests).isEmpty();
    }

    @Test
    void theWriterSendsNothingOnceLeadershipIsLost() {
        assertThatThrownBy(() -> writer(Leadership.never()).create(map())).isInstanceOf(LeadershipLostException.class);
        assertThat(requests).isEmpty();
    }

    @Test
    void aWriteIsSentOnceWhateverTheAnswer() {
        reply(new Reply(500, "", "boom"));
        assertThatThrownBy(() -> writer(Leadership.always()).create(map()))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isInstanceOf(ApiError.Unavailable.class));
        assertThat(requests).hasSize(1);
    }

    @Test
    void aThrottledWriteReportsHowLongToWait() {
        reply(new Reply(429, "9", "Too many requests"));
        assertThatThrownBy(() -> writer(Leadership.always()).create(map()))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.error())
                                .isInstanceOfSatisfying(
                                        ApiError.Throttled.class,
                                        throttled -> assertThat(throttled.after())
                                                .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(14))));
    }

    @Test
    void aThrottledWriteHoldsBackAllOthersButNotTheLease() {
        reply(new Reply(429, "9", "Too many requests"), FOUND);
        assertThatThrownBy(() -> writer(Leadership.always()).create(map())).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> writer(Leadership.always()).delete(map()))
                .hasMessageContaining("not sent, because the API server requested to wait")
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.error())
                                .isInstanceOfSatisfying(
                                        ApiError.Throttled.class,
                                        throttled -> assertThat(throttled.after())
                                                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(14))));
        assertThat(requests).hasSize(1);
        assertThat(connection.leases(Duration.ofSeconds(5)).read("ns", "a")).isPresent();
        assertThat(requests).hasSize(2);
    }

    @Test
    void aThrottledReadOrListIsSentOnceAndReportsHowLongToWait() {
        reply(new Reply(429, "1", "Too many requests"));
        assertThatThrownBy(() -> connection.lists().open("api/v1/namespaces/ns/configmaps"))
                .isInstanceOfSatisfying(
                        ListWatchException.class,
                        refused -> assertThat(refused.requestedWait()).isEqualTo(Duration.ofSeconds(1)));
        assertThatThrownBy(() -> connection.objects().read(ConfigMap.class, "ns", "a"))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isInstanceOf(ApiError.Throttled.class));
        assertThat(requests).hasSize(2);
    }

    /** The API server records the user agent as the manager of the fields that a request sets, if it names no other. */
    @Test
    void everyWriteNamesItsFieldManager() {
        reply(FOUND);
        ApiWriter writer = writer(Leadership.always());
        writer.create(map());
        writer.merge(map(), Map.of());
        writer.patch(map(), JsonPatch.empty().add("/data", Map.of()));
        writer.replace(map());
        connection
                .events(Leadership.always())
                .create(new EventBuilder()
                        .withNewMetadata()
                        .withNamespace("ns")
                        .withName("e")
                        .endMetadata()
                        .build());
        assertThat(heads).hasSize(5).allMatch(head -> head.contains("\r\nUser-Agent: bucketwright\r\n"));
    }

    @Test
    void aDeleteCarriesUidAndVersion() {
        reply(new Reply(200, "", "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}"));
        writer(Leadership.always()).delete(map());
        assertThat(requests.getFirst())
                .startsWith("DELETE /api/v1/namespaces/ns/configmaps/a ")
                .contains("\"uid\":\"u1\"")
                .contains("\"resourceVersion\":\"5\"");
    }

    @Test
    void aMergeCarriesTheVersionAndKeepsTheMetadataGiven() {
        reply(FOUND);
        writer(Leadership.always()).merge(map(), Map.of("metadata", Map.of("labels", Map.of("l", "v"))));
        assertThat(requests.getFirst()).contains("\"resourceVersion\":\"5\"").contains("\"l\":\"v\"");
    }

    @Test
    void requestsAreCountedByVerbResourceAndCode() {
        reply(new Reply(404, "", "{\"kind\":\"Status\",\"reason\":\"NotFound\"}"));
        assertThat(connection.objects().read(ConfigMap.class, "ns", "a")).isEmpty();
        assertThat(counted("get", "404")).isEqualTo(1);
    }

    @Test
    void anUnreachableServerIsUnavailableAndTheWriteMayHaveTakenEffect() {
        server.close();
        assertThatThrownBy(() -> writer(Leadership.always()).create(map()))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isInstanceOf(ApiError.Unavailable.class))
                .hasMessageContaining("Creating configmaps ns/a")
                .hasMessageContaining("may have taken effect");
        assertThat(counted("create", "0")).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} is loopback: {1}")
    @CsvSource(textBlock = """
            https://127.0.0.1:6443/,         true
            https://127.8.8.8:6443/,         true
            https://localhost:6443/,         true
            https://[::1]:6443/,             true
            https://10.0.0.1:443/,           false
            https://kubernetes.default.svc/, false
            https://localhost.example.org/,  false
            """)
    void knowsLoopbackWithoutAskingDns(String url, boolean loopback) {
        assertThat(ApiConnection.isLoopback(url)).isEqualTo(loopback);
    }

    private void reply(Reply... these) {
        replies.set(List.of(these));
    }

    private double counted(String verb, String code) {
        return meters.get("bucketwright.api.requests")
                .tags("verb", verb, "resource", "configmaps", "code", code)
                .counter()
                .count();
    }

    private ApiWriter writer(Leadership leadership) {
        return connection.writer(leadership, new ObjectCaches(connection, meters));
    }

    private Config config() {
        return new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl(server.url(""))
                .withHttpProxy("http://127.0.0.1:9")
                .withHttpsProxy("http://127.0.0.1:9")
                .build();
    }

    private static ConfigMap map() {
        return TestObjects.configMap("a", "u1", "5");
    }
}
