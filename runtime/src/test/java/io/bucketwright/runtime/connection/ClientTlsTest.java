package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.pki.CertificateAuthority;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers a client trusts, and with which key it presents itself. */
class ClientTlsTest {

    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create();

    private final ScriptedServer server = new ScriptedServer(
            AUTHORITY
                    .server(List.of("localhost"), List.of("127.0.0.1"))
                    .tls(AUTHORITY.credential().certificate()),
            ScriptedServer.Peer::answerAll);

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
        new BlockingClientFactory().newBuilder(config).build().close();
        X509ExtendedKeyManager found = (X509ExtendedKeyManager) SSLUtils.keyManagers(config)[0];
        String alias = found.getClientAliases("EC", null)[0];
        assertThat(new String(Base64.getDecoder().decode(config.getClientKeyData()), StandardCharsets.UTF_8))
                .startsWith("-----BEGIN PRIVATE KEY-----");
        assertThat(((ECPrivateKey) found.getPrivateKey(alias)).getS())
                .isEqualTo(((ECPrivateKey) expected.getPrivateKey(alias)).getS());
    }

    private Config config(CertificateAuthority authority) {
        return Config.fromKubeconfig(
                authority.kubeconfig("https://127.0.0.1:" + server.port(), "test", List.of("testers")));
    }

    private static String get(Config config) throws Exception {
        try (HttpClient client = new BlockingClientFactory()
                .newBuilder(config)
                .proxyType(HttpClient.ProxyType.DIRECT)
                .build()) {
            HttpResponse<byte[]> response = client.sendAsync(
                            client.newHttpRequestBuilder()
                                    .uri(config.getMasterUrl() + "version")
                                    .build(),
                            byte[].class)
                    .get(1, TimeUnit.MINUTES);
            return new String(response.body(), StandardCharsets.UTF_8);
        }
    }
}
