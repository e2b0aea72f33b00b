package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The class parameters that say how the controller connects to a store. */
final class ConnectionTest {

    private static final String EMPTY = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final List<String> requests = new ArrayList<>();
    private final Set<InetSocketAddress> connections = new HashSet<>();
    /** How many requests fail with 503 before one succeeds. */
    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void stop() {
        server.close();
    }

    /** Only the last attempt of the SDK would be known, and a late one could do what the store did not confirm. */
    @ParameterizedTest
    @ValueSource(strings = {"retryMode", "retryAttempts", "connectionReuse"})
    void aClassCannotLetTheSdkRepeatRequests(String parameter) {
        assertThatThrownBy(() -> open(Map.of(parameter, "standard")))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter \"" + parameter + "\" is unknown");
    }

    @Test
    void aRequestToAnAdministrationApiIsSentOnce() {
        failures.set(9);
        try (CompleteStore store = open(Map.of("identity", "ceph"))) {
            assertThatThrownBy(() -> ask(store, call()))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("503");
        }
        assertThat(requests).singleElement().asString().startsWith("GET /admin/bucket");
    }

    @Test
    void onlyTheWorkQueueRetries() {
        failures.set(1);
        try (CompleteStore store = open(Map.of())) {
            assertThatThrownBy(() -> ask(store, call()))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("503");
        }
        assertThat(requests).hasSize(1);
    }

    @Test
    void aConnectionServesManyRequests() {
        try (CompleteStore store = open(Map.of())) {
            for (int i = 0; i < 5; i++) {
                ask(store, call());
            }
        }
        assertThat(requests).hasSize(5);
        assertThat(connections).hasSize(1);
    }

    @Test
    void aResponseIsWaitedForAsLongAsTheClassSays() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                CompleteStore store =
                        open(Map.of("endpoint", "http://127.0.0.1:" + silent.getLocalPort(), "readTimeout", "0.2s"))) {
            StoreCall call = call();
            assertThatThrownBy(() -> ask(store, call))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("does not respond");
            assertThat(call.remaining()).isGreaterThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aHostThatDoesNotExistIsNamed() {
        try (CompleteStore store = open(Map.of("endpoint", "http://store.invalid:9000", "proxy", "none"))) {
            assertThatThrownBy(() -> ask(store, call()))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("\"store.invalid\" has no address")
                    .hasMessageContaining("endpoint");
        }
    }

    @Test
    void requestsGoThroughTheProxyOfTheClass() {
        try (CompleteStore store = open(Map.of("endpoint", "http://store.invalid:9000", "proxy", server.url()))) {
            ask(store, call());
        }
        assertThat(requests).singleElement().asString().startsWith("GET http://store.invalid:9000/photos?");
    }

    @ParameterizedTest
    @CsvSource({
        "connectTimeout, 0s",
        "connectTimeout, soon",
        "readTimeout, 90s",
        "readTimeout, -1s",
        "proxy, https://proxy.example.com",
        "proxy, proxy.example.com:3128",
        "proxy, http://user:password@proxy.example.com",
        "region, Frankfurt",
        "iamRegion, Frankfurt",
        "partition, amazon",
        "pathStyle, virtual",
        "pathStyle, false",
        "caBundle, none",
        "keyPropagation, 31s",
        "encryption, AES256",
        "kmsKey, alias/aws/s3",
        "kmsKey, arn:aws:kms:eu-central-1:123456789012:key/1234",
        "publicAccessBlock, 1",
        "userPath, bucketwright",
        "permissionsBoundary, boundary",
        "credentials, instance",
        "assumeRole, bucketwright",
    })
    void anInvalidParameterIsNamedBeforeAnythingIsSent(String name, String value) {
        assertThatThrownBy(() -> open(Map.of(name, value)))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter " + name)
                .message()
                .doesNotContain("password@");
    }

    @Test
    void withoutAnEndpointTheRegionIsRequired() {
        S3StoreFactory factory = new S3StoreFactory();
        assertThatThrownBy(() -> factory.parameters().parse(Map.of()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter endpoint")
                .hasMessageContaining("region");
        assertThatThrownBy(() -> factory.parameters().parse(Map.of("region", "garage")))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter region");
    }

    private CompleteStore open(Map<String, String> more) {
        return server.open(more);
    }

    private static void ask(CompleteStore store, StoreCall call) {
        assertThat(store.usage(call, new BucketName("photos")).objects()).isZero();
    }

    private void respond(HttpExchange exchange) throws IOException {
        synchronized (requests) {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            connections.add(exchange.getRemoteAddress());
        }
        boolean fails = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        LoopbackServer.respond(exchange, fails ? 503 : 200, fails ? "<Error><Code>SlowDown</Code></Error>" : EMPTY);
    }
}
