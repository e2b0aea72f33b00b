package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class BoundAccessWaiterTest {

    private static final byte[] FORBIDDEN = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,
             "message":"bucketaccessrequests.cosi.io is forbidden"}""".getBytes(StandardCharsets.UTF_8);

    @Test
    void aRequestThatCannotBeReadIsNotReportedAsMissing() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(403, FORBIDDEN.length);
            exchange.getResponseBody().write(FORBIDDEN);
            exchange.close();
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (ApiConnection connection = new ApiConnection(
                        config, Keepalive.standard(), new ManualTime(), meters, UnaryOperator.identity());
                ObjectCaches caches = new ObjectCaches(connection, meters)) {
            BoundAccessWaiter waiter = new BoundAccessWaiter(caches, Duration.ofSeconds(3));
            assertThatThrownBy(() -> waiter.await("team", "viewer"))
                    .hasMessageContaining("BucketAccessRequest team/viewer cannot be read from the API server")
                    .hasMessageContaining("bucketaccessrequests.cosi.io is forbidden")
                    .hasMessageNotContaining("There is no");
        } finally {
            server.stop(0);
        }
    }
}
