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
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers a client trusts, with which key it presents itself, and certificates that are replaced meanwhile. */
class ClientTlsTest {

    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create();

    private static final Duration LONG = Duration.ofMinutes(1);

    private final ScriptedServer server = new ScriptedServer(tls(), ScriptedServer.Peer::answerAll);
    private final ManualTime time = new ManualTime();
    private final ConnectionMonitor monitor = new ConnectionMonitor(Keepalive.standard(), time, Runnable::run);
    private final BlockingClientFactory monitored = new BlockingClientFactory(monitor, Thread::startVirtualThread);

    @TempDir
    private Path temporary;

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void theAuthorityOfTheConfigurationIsTrusted() throws Exception {
        assertThat(get(config(AUTHORITY))).isEqualTo("ok");
    }

    @Test
    void noOtherAuthorityIsTrusted() {
        Config config = config(CertificateAuthority.create());
        assertThatThrownBy(() -> get(config)).hasCauseInstanceOf(SSLHandshakeException.class);
        assertThat(server.requests()).isEmpty();
        assertThat(config.isTrustCerts()).isFalse();
    }

    /** Others read the configuration in other threads, and would trust every server meanwhile. */
    @Test
    void theConfigurationIsNotChangedWhileTheClientIsBuilt() throws Exception {
        Config frozen = new FrozenConfig(config(AUTHORITY));
        assertThat(get(frozen)).isEqualTo("ok");
        Config withFiles = new FrozenConfig(withFiles(CertificateAuthority.create()));
        assertThatThrownBy(() -> get(withFiles)).hasCauseInstanceOf(SSLHandshakeException.class);
    }

    private static final class FrozenConfig extends Config {

        private final boolean complete;

        FrozenConfig(Config config) {
            super(config, false);
            complete = true;
        }

        @Override
        public void setTrustCerts(boolean trustCerts) {
            if (complete) {
                throw new UnsupportedOperationException("Whom to trust must not change, not even for a moment");
            }
            super.setTrustCerts(trustCerts);
        }
    }

    @Test
    void theAuthorityCanBeAFile() throws Exception {
        Config config = config(AUTHORITY);
        config.setCaCertData(null);
        config.setCaCertFile(Files.writeString(
                        temporary.resolve("ca"), AUTHORITY.credential().certificatePem())
                .toString());
        assertThat(get(config)).isEqualTo("ok");
    }

    @Test
    void withoutAnAuthorityThoseOfTheJdkAreTrusted() {
        Config config = config(AUTHORITY);
        config.setCaCertData(null);
        assertThatThrownBy(() -> get(config)).hasCauseInstanceOf(SSLHandshakeException.class);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void everyServerIsTrustedIfTheConfigurationSaysSo() throws Exception {
        Config config = config(CertificateAuthority.create());
        config.setTrustCerts(true);
        assertThat(get(config)).isEqualTo("ok");
        assertThat(config.isTrustCerts()).isTrue();
    }

    /** fabric8 would generate another key pair to read a key in the format that kubeconfigs have. */
    @Test
    void theKeyOfTheConfigurationIsUsed() throws Exception {
        Config config = config(AUTHORITY);
        assertThat(new String(Base64.getDecoder().decode(config.getClientKeyData()), StandardCharsets.UTF_8))
                .startsWith("-----BEGIN EC PRIVATE KEY-----");
        X509ExtendedKeyManager expected = (X509ExtendedKeyManager) SSLUtils.keyManagers(config)[0];
        X509ExtendedKeyManager found = (X509ExtendedKeyManager) new ClientTls(config).keyManagers()[0];
        String alias = found.getClientAliases("EC", null)[0];
        assertThat(((ECPrivateKey) found.getPrivateKey(alias)).getS())
                .isEqualTo(((ECPrivateKey) expected.getPrivateKey(alias)).getS());
    }

    @Test
    void anAuthorityThatWasReplacedIsTrustedAfterAHandshakeThatFailed() throws Exception {
        Config config = withFiles(CertificateAuthority.create());
        try (HttpClient client = open(config, new BlockingClientFactory())) {
            assertThatThrownBy(() -> get(client, server)).hasCauseInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> get(client, server)).hasCauseInstanceOf(SSLHandshakeException.class);
            Files.writeString(temporary.resolve("ca"), "half of a certificate");
            assertThatThrownBy(() -> get(client, server)).hasCauseInstanceOf(SSLHandshakeException.class);
            write(AUTHORITY, AUTHORITY);
            assertThat(get(client, server)).isEqualTo("ok");
            assertThat(config.isTrustCerts()).isFalse();
        }
    }

    @Test
    void handshakesThatFailForMinutesAreNoticed() throws Exception {
        TrackedWatch watch = monitor.activity().track();
        Config config = withFiles(CertificateAuthority.create());
        try (HttpClient client = open(config, monitored)) {
            assertThatThrownBy(() -> get(client, server)).hasCauseInstanceOf(SSLHandshakeException.class);
            time.advance(Duration.ofMinutes(4));
            assertThat(watch.status().stuck()).isTrue();
            write(AUTHORITY, AUTHORITY);
            assertThat(get(client, server)).isEqualTo("ok");
            assertThat(monitor.activity().isLost()).isFalse();
        }
    }

    @Test
    void connectionsWithAClientCertificateThatWasReplacedAreNotUsedAgain() throws Exception {
        Config config = withFiles(AUTHORITY);
        try (HttpClient client = open(config, monitored)) {
            for (int seconds = 0; seconds <= 60; seconds += 10) {
                assertThat(get(client, server)).isEqualTo("ok");
                time.advance(Duration.ofSeconds(10));
            }
            assertThat(server.connections()).isOne();
            write(AUTHORITY, AUTHORITY);
            // The files are read in another thread, once a minute.
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
                assertThat(get(client, server)).isEqualTo("ok");
                time.advance(Duration.ofSeconds(10));
                return server.connections() == 2;
            });
            assertThat(get(client, server)).isEqualTo("ok");
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aRequestWhoseClientCertificateIsRejectedIsRepeatedWithTheRenewedOne() throws Exception {
        try (ScriptedServer known = ScriptedServer.ofKnownClients(tls(), ScriptedServer.Peer::answerAll);
                HttpClient client = open(withFiles(known, AUTHORITY, CertificateAuthority.create()), monitored)) {
            assertThatThrownBy(() -> get(client, known)).isInstanceOf(ExecutionException.class);
            write(AUTHORITY, AUTHORITY);
            // The server may close the connection before the request is written: then nobody knows why.
            Awaitility.await()
                    .atMost(LONG)
                    .ignoreExceptions()
                    .until(() -> get(client, known).equals("ok"));
        }
    }

    @Test
    void aClientCertificateThatIsRejectedForMinutesIsNoticed() throws Exception {
        TrackedWatch watch = monitor.activity().track();
        try (ScriptedServer known = ScriptedServer.ofKnownClients(tls(), ScriptedServer.Peer::answerAll);
                HttpClient client = open(withFiles(known, AUTHORITY, CertificateAuthority.create()), monitored)) {
            Awaitility.await().atMost(LONG).until(() -> {
                assertThatThrownBy(() -> get(client, known)).isInstanceOf(ExecutionException.class);
                time.advance(Duration.ofMinutes(4));
                return watch.status().stuck();
            });
        }
    }

    @Test
    void allHandshakesThatFailAtTheSameTimeAreRepeated() throws Exception {
        CertificateAuthority former = CertificateAuthority.create();
        try (HttpClient client = open(withFiles(server, former, former), monitored)) {
            write(AUTHORITY, AUTHORITY);
            CyclicBarrier together = new CyclicBarrier(8);
            List<CompletableFuture<String>> answers = Stream.generate(() -> send(client, server, together))
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
        try (ScriptedServer known = new ScriptedServer(tls(), slow, ScriptedServer.Peer::answerAll);
                HttpClient client = open(withFiles(known, AUTHORITY, AUTHORITY), monitored)) {
            CompletableFuture<String> first = send(client, known, new CyclicBarrier(1));
            Awaitility.await().atMost(LONG).until(() -> known.connections() == 1);
            assertThat(get(client, known)).isEqualTo("ok");
            write(AUTHORITY, AUTHORITY);
            Awaitility.await().atMost(LONG).until(() -> {
                time.advance(Duration.ofSeconds(20));
                return get(client, known).equals("ok") && known.connections() == 3;
            });
            renewed.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("former");
            assertThat(get(client, known)).isEqualTo("ok");
        }
    }

    private static SSLContext tls() {
        return AUTHORITY
                .server(List.of("localhost"), List.of("127.0.0.1"))
                .tls(AUTHORITY.credential().certificate());
    }

    /** A configuration with files, all of this authority. */
    private Config withFiles(CertificateAuthority authority) throws IOException {
        return withFiles(server, authority, authority);
    }

    private Config withFiles(ScriptedServer of, CertificateAuthority trusted, CertificateAuthority issuer)
            throws IOException {
        write(trusted, issuer);
        Config config = Config.empty();
        config.setMasterUrl("https://127.0.0.1:" + of.port());
        config.setCaCertFile(temporary.resolve("ca").toString());
        config.setClientCertFile(temporary.resolve("client.crt").toString());
        config.setClientKeyFile(temporary.resolve("client.key").toString());
        return config;
    }

    private void write(CertificateAuthority trusted, CertificateAuthority issuer) throws IOException {
        Files.writeString(temporary.resolve("ca"), trusted.credential().certificatePem());
        Credential client = issuer.client("test", List.of("testers"));
        Files.writeString(temporary.resolve("client.key"), client.keyPem());
        Files.writeString(temporary.resolve("client.crt"), client.certificatePem());
    }

    private Config config(CertificateAuthority authority) {
        return Config.fromKubeconfig(
                authority.kubeconfig("https://127.0.0.1:" + server.port(), "test", List.of("testers")));
    }

    private String get(Config config) throws Exception {
        try (HttpClient client = open(config, new BlockingClientFactory())) {
            return get(client, server);
        }
    }

    private static HttpClient open(Config config, BlockingClientFactory factory) {
        return factory.newBuilder(config)
                .proxyType(HttpClient.ProxyType.DIRECT)
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
    }

    private static String get(HttpClient client, ScriptedServer of) throws Exception {
        HttpResponse<byte[]> response = client.sendAsync(
                        client.newHttpRequestBuilder()
                                .uri("https://127.0.0.1:" + of.port() + "/version")
                                .build(),
                        byte[].class)
                .get(1, TimeUnit.MINUTES);
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private CompletableFuture<String> send(HttpClient client, ScriptedServer of, CyclicBarrier start) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        start.await();
                        return get(client, of);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);
    }
}
