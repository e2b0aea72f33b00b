package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store with https that has no bucket. */
final class TlsTest {

    private final CertificateAuthority authority = CertificateAuthority.create();
    private final HttpsServer server;

    TlsTest() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Credential own = authority.server(List.of("localhost"), List.of("127.0.0.1"));
        server.setHttpsConfigurator(
                new HttpsConfigurator(own.tls(authority.credential().certificate())));
        server.createContext("/", exchange -> {
            byte[] body = "<Error><Code>NoSuchBucket</Code></Error>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aCertificateOfTheCaBundleIsTrusted() {
        try (BucketStore store = open(server.getAddress().getPort(), authority)) {
            assertThatThrownBy(() -> ask(store)).isInstanceOf(NotFound.class);
        }
    }

    @Test
    void anotherCertificateIsNotTrustedAndTheMessageNamesTheParameter() {
        try (BucketStore store = open(server.getAddress().getPort(), CertificateAuthority.create())) {
            assertThatThrownBy(() -> ask(store))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("certificate")
                    .hasMessageContaining("caBundle")
                    .extracting(Throwable::getMessage)
                    .asString()
                    .doesNotContain("Exception", "PKIX", "\n");
        }
    }

    @Test
    void anUnreachableServerIsNotReportedAsATlsFailure() throws IOException {
        int nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = free.getLocalPort();
        }
        try (BucketStore store = open(nobody, authority)) {
            assertThatThrownBy(() -> ask(store))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("does not respond");
        }
    }

    /** @throws StoreException whatever comes of it */
    private static void ask(BucketStore store) {
        store.usage(StoreCall.within(Duration.ofMinutes(1)), new BucketName("anything"));
    }

    private static BucketStore open(int port, CertificateAuthority trusted) {
        S3StoreFactory factory = new S3StoreFactory();
        return factory.open(
                factory.parameters()
                        .parse(Map.of(
                                "endpoint",
                                "https://127.0.0.1:" + port,
                                "caBundle",
                                trusted.credential().certificatePem())),
                new AdministratorSecret(
                        Map.of("accessKeyId", SecretValue.of("id"), "secretAccessKey", SecretValue.of("secret"))));
    }
}
