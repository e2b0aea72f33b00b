package io.bucketwright.store.s3.client;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.LoopbackServer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** Requests to an administration API are sent once, and their responses are limited. */
final class AdminClientTest {

    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final AtomicInteger requests = new AtomicInteger();
    /** Of a successful response; empty for a store that is busy. */
    private volatile byte[] body = new byte[0];

    private void respond(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        if (body.length == 0) {
            exchange.sendResponseHeaders(503, -1);
        } else {
            exchange.sendResponseHeaders(200, body.length);
            writeQuietly(exchange.getResponseBody());
        }
        exchange.close();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aRequestThatFailsIsNotRepeated() {
        try (AdminClient client = client()) {
            assertThatThrownBy(() -> send(client, call()))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("503");
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void aBodyThatIsTooLongIsNotCut() {
        StoreCall call = call();
        body = new byte[AdminClient.MAX_BODY];
        try (AdminClient client = client()) {
            assertThat(client.send(call, "list the buckets", AdminRequest.of(SdkHttpMethod.GET, "/admin/bucket")))
                    .hasSize(AdminClient.MAX_BODY);
            body = new byte[AdminClient.MAX_BODY + 1];
            assertThatThrownBy(() ->
                            client.send(call, "list the buckets", AdminRequest.of(SdkHttpMethod.GET, "/admin/bucket")))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("Could not list the buckets")
                    .hasMessageContaining("GET /admin/bucket")
                    .hasMessageContaining("4 MiB");
        }
        assertThat(requests).as("the same response would come again").hasValue(2);
    }

    /** The client does not read all of it. */
    private void writeQuietly(OutputStream response) {
        try {
            response.write(body);
        } catch (IOException disconnected) {
            // As expected.
        }
    }

    private static void send(AdminClient client, StoreCall call) {
        client.send(call, "read the user", AdminRequest.of(SdkHttpMethod.GET, "/admin/user"));
    }

    private AdminClient client() {
        return new AdminClient(
                new Endpoint(false, "127.0.0.1", server.port()),
                "us-east-1",
                UrlConnectionHttpClient.builder()
                        .proxyConfiguration(ProxyConfiguration.builder()
                                .useSystemPropertyValues(false)
                                .useEnvironmentVariablesValues(false)
                                .build())
                        .build(),
                StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")),
                List.of());
    }
}
