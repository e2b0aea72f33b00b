package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are replaced while requests are sent. */
class ClientCertificateTest {

    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create();
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final ConnectionMonitor monitor = new ConnectionMonitor(Keepalive.standard(), time, Runnable::run);

    @TempDir
    private Path temporary;

    private HttpClient client = new BlockingClientFactory().newBuilder().build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aRequestWhoseClientCertificateIsRejectedIsRepeatedWithTheRenewedOne() throws Exception {
        try (ScriptedServer server = ScriptedServer.ofKnownClients(tls(), ScriptedServer.Peer::answerAll)) {
            open(server, AUTHORITY, CertificateAuthority.create());
            assertThatThrownBy(() -> get(server)).isInstanceOf(ExecutionException.class);
            write(AUTHORITY, AUTHORITY);
            // The server may close the connection before the request is written: then nobody knows why.
            Awaitility.await()
                    .atMost(LONG)
                    .ignoreExceptions()
                    .until(() -> get(server).equals("ok"));
        }
    }

    @Test
    void aClientCertificateThatIsRejectedForMinutesIsNoticed() throws Exception {
        TrackedWatch watch = monitor.activity().track();
        try (ScriptedServer server = ScriptedServer.ofKnownClients(tls(), ScriptedServer.Peer::answerAll)) {
            open(server, AUTHORITY, CertificateAuthority.create());
            Awaitility.await().atMost(LONG).until(() -> {
                assertThatThrownBy(() -> get(server)).isInstanceOf(ExecutionException.class);
                time.advance(Duration.ofMinutes(4));
                return watch.status().stuck();
            });
        }
    }

    @Test
    void allHandshakesThatFailAtTheSameTimeAreRepeated() throws Exception {
        try (ScriptedServer server = new ScriptedServer(tls(), ScriptedServer.Peer::answerAll)) {
            CertificateAuthority former = CertificateAuthority.create();
            open(server, former, former);
            write(AUTHORITY, AUTHORITY);
            CyclicBarrier together = new CyclicBarrier(8);
            List<CompletableFuture<String>> answers = Stream.generate(() -> send(server, together))
                    .limit(together.getParties())
                    .toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.get()).isEqualTo("ok"));
        }
    }

    @Test
    void aConnectionThatBeganWithTheFormerCertificateIsNotUsedAgain() throws Exception {
        CountDownLatch renewed = new CountDownLatch(1);
        ScriptedServer.Script slow = peer -> {
            renewed.await();
            while (true) {
                peer.request();
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nformer");
            }
        };
        try (ScriptedServer server = new ScriptedServer(tls(), slow, ScriptedServer.Peer::answerAll)) {
            open(server, AUTHORITY, AUTHORITY);
            CompletableFuture<String> first = send(server, new CyclicBarrier(1));
            Awaitility.await().atMost(LONG).until(() -> server.connections() == 1);
            assertThat(get(server)).isEqualTo("ok");
            write(AUTHORITY, AUTHORITY);
            Awaitility.await().atMost(LONG).until(() -> {
                time.advance(Duration.ofSeconds(20));
                return get(server).equals("ok") && server.connections() == 3;
            });
            renewed.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("former");
            assertThat(get(server)).isEqualTo("ok");
        }
    }

    private static SSLContext tls() {
        return AUTHORITY
                .server(List.of("localhost"), List.of("127.0.0.1"))
                .tls(AUTHORITY.credential().certificate());
    }

    private void open(ScriptedServer server, CertificateAuthority trusted, CertificateAuthority issuer)
            throws IOException {
        write(trusted, issuer);
        Config config = Config.empty();
        config.setMasterUrl("https://127.0.0.1:" + server.port());
        config.setCaCertFile(temporary.resolve("ca").toString());
        config.setClientCertFile(temporary.resolve("client.crt").toString());
        config.setClientKeyFile(temporary.resolve("client.key").toString());
        client = new BlockingClientFactory(monitor, Thread::startVirtualThread)
                .newBuilder(config)
                .proxyType(HttpClient.ProxyType.DIRECT)
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
    }

    private void write(CertificateAuthority trusted, CertificateAuthority issuer) throws IOException {
        Files.writeString(temporary.resolve("ca"), trusted.credential().certificatePem());
        Credential own = issuer.client("test", List.of("testers"));
        Files.writeString(temporary.resolve("client.key"), own.keyPem());
        Files.writeString(temporary.resolve("client.crt"), own.certificatePem());
    }

    private String get(ScriptedServer server) throws Exception {
        return client.sendAsync(
                        client.newHttpRequestBuilder()
                                .uri("https://127.0.0.1:" + server.port() + "/version")
                                .build(),
                        byte[].class)
                .thenApply(response -> new String(response.body(), StandardCharsets.UTF_8))
                .get(1, TimeUnit.MINUTES);
    }

    private CompletableFuture<String> send(ScriptedServer server, CyclicBarrier start) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        start.await();
                        return get(server);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);
    }
}
