package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.connection.BlockingClientFactory;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A change never leaves after the fence has closed, however long connecting and renewing a token take. */
class WriteFenceTest {

    private static final String UNAUTHORIZED = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";

    private final SystemTime time = new SystemTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ManualLeadership leadership = new ManualLeadership();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final ServerSocket server;

    WriteFenceTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        time.close();
    }

    @Test
    void aCreateWhoseConnectionTookLongerThanTheLeaseIsNotSent() throws Exception {
        assertThatNothingIsSentIfWhileConnecting(leadership::lose);
    }

    @Test
    void aCreateOfAnEarlierTermIsNotSent() throws Exception {
        assertThatNothingIsSentIfWhileConnecting(leadership::gainAfterAnotherLeader);
    }

    private void assertThatNothingIsSentIfWhileConnecting(Runnable event) throws Exception {
        CompletableFuture<Void> proxy = serve(peer -> {
            received.add(head(peer));
            event.run();
            peer.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            received.add(head(peer));
        });
        Config config = config("http://api.test:80/");
        config.setHttpProxy("http://127.0.0.1:" + server.getLocalPort());
        try (ApiConnection connection = connection(config)) {
            assertThatThrownBy(() -> create(connection)).isInstanceOf(LeadershipLostException.class);
            proxy.get();
        }
        assertThat(received.getFirst()).startsWith("CONNECT api.test:80");
        assertThat(received.getLast()).isEmpty();
    }

    @Test
    void aCreateIsRepeatedWithANewTokenOnlyWhileThisProcessLeads() throws Exception {
        var _ = serve(peer -> {
            for (int request = 0; request < 3; request++) {
                received.add(head(peer));
                if (request == 2) {
                    leadership.lose();
                }
                peer.getOutputStream().write(UNAUTHORIZED.getBytes(StandardCharsets.US_ASCII));
            }
            received.add(head(peer));
        });
        Config config = config("http://127.0.0.1:" + server.getLocalPort());
        config.setAutoOAuthToken("abc");
        // A token that was read just now is not read again.
        ManualTime clock = new ManualTime();
        try (ApiConnection connection = connection(config, clock)) {
            clock.advance(Duration.ofSeconds(10));
            assertThatThrownBy(() -> create(connection)).isInstanceOf(ApiException.class);
            assertThat(received).hasSize(2);
            clock.advance(Duration.ofSeconds(10));
            assertThatThrownBy(() -> create(connection)).isInstanceOf(LeadershipLostException.class);
        }
        assertThat(received.stream().filter(head -> head.startsWith("POST"))).hasSize(3);
    }

    @Test
    void aCreateIsNotRepeatedWithATokenThatCameTooLate() throws Exception {
        CompletableFuture<Void> server = serve(peer -> {
            received.add(head(peer));
            peer.getOutputStream().write(UNAUTHORIZED.getBytes(StandardCharsets.US_ASCII));
            received.add(head(peer));
        });
        CountDownLatch gaveUp = new CountDownLatch(1);
        Config config = config("http://127.0.0.1:" + this.server.getLocalPort(), () -> {
            try {
                gaveUp.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        config.setAutoOAuthToken("abc");
        ManualTime clock = new ManualTime();
        try (ApiConnection connection = connection(config, clock)) {
            clock.advance(Duration.ofSeconds(10));
            leadership.remaining(Duration.ofMillis(200));
            assertThatThrownBy(() -> create(connection)).isInstanceOf(ApiException.class);
            gaveUp.countDown();
            server.get();
        }
        assertThat(received).hasSize(2).last().isEqualTo("");
    }

    /** Without the limit the test would last for an hour. */
    @Test
    void aChangeWaitsNoLongerThanTheFenceIsOpen() throws Exception {
        var _ = serve(peer -> {
            received.add(head(peer));
            received.add(head(peer));
        });
        leadership.remaining(Duration.ofMillis(200));
        try (HttpClient http = new BlockingClientFactory()
                .newBuilder(config("http://127.0.0.1:" + server.getLocalPort()))
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build()) {
            Transport transport = new HttpTransport(
                    http,
                    "http://127.0.0.1:" + server.getLocalPort(),
                    new JsonCodec(new ObjectMapper()),
                    new RequestMetrics(meters, URI.create("http://127.0.0.1:" + server.getLocalPort())),
                    Duration.ofHours(1),
                    leadership,
                    null);
            assertThatThrownBy(() -> transport.send("Creating a", "POST", "api/v1/configmaps", Transport.JSON, "{}"))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.error()).isInstanceOf(ApiError.Unavailable.class));
        }
    }

    private interface Script {
        void run(Socket peer) throws IOException;
    }

    private CompletableFuture<Void> serve(Script script) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Socket peer = server.accept()) {
                        script.run(peer);
                    } catch (IOException e) {
                        // The client or the test closed it.
                    }
                },
                Thread::startVirtualThread);
    }

    /** The head of a request and its body, which is shorter than a packet; empty at the end of the connection. */
    private static String head(Socket peer) throws IOException {
        byte[] bytes = new byte[16 * 1024];
        int length = peer.getInputStream().read(bytes);
        return new String(bytes, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
    }

    private static Config config(String url) {
        return config(url, () -> {});
    }

    /** @param plugin runs whenever the configuration is read again */
    private static Config config(String url, Runnable plugin) {
        Config config = new Config() {
            @Override
            public Config refresh() {
                plugin.run();
                return this;
            }
        };
        config.setMasterUrl(url);
        config.setConnectionTimeout(60_000);
        config.setRequestTimeout(60_000);
        return config;
    }

    private ApiConnection connection(Config config) {
        return connection(config, time);
    }

    private ApiConnection connection(Config config, TimeSource clock) {
        return new ApiConnection(config, Keepalive.standard(), clock, meters, UnaryOperator.identity());
    }

    private void create(ApiConnection connection) {
        connection
                .writer(leadership, new ObjectCaches(connection, meters))
                .create(TestObjects.configMap("a", "u1", "5"));
    }
}
