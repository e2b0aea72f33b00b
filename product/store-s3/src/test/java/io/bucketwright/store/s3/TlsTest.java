package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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
            LoopbackServer.respond(exchange, 404, "<Error><Code>NoSuchBucket</Code></Error>");
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aCertificateOfTheCaBundleIsTrusted() {
        try (CompleteStore store = open(server.getAddress().getPort(), authority)) {
            assertThatThrownBy(() -> ask(store)).isInstanceOf(NotFound.class);
        }
    }

    @Test
    void anotherCertificateIsNotTrustedAndTheMessageNamesTheParameter() {
        try (CompleteStore store = open(server.getAddress().getPort(), CertificateAuthority.create())) {
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
        try (CompleteStore store = open(nobody, authority)) {
            assertThatThrownBy(() -> ask(store))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("does not respond");
        }
    }

    /** @throws StoreException whatever comes of it */
    private static void ask(CompleteStore store) {
        store.usage(call(), new BucketName("anything"));
    }

    private static CompleteStore open(int port, CertificateAuthority trusted) {
        return LoopbackServer.open(
                "https://127.0.0.1:" + port,
                Map.of("caBundle", trusted.credential().certificatePem()));
    }
}
