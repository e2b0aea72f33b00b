package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import io.bucketwright.testing.gcs.GcsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a claim reports if its store has another certificate, rejects the administrator or hangs, for each kind of store. */
@OnCluster
class FailingStoresIT extends BenchFixture {

    /**
     * A store that works.
     *
     * @param kind as in {@code --store}
     * @param wrong an administrator's Secret of the right form that the store rejects
     * @param stop stops the server
     */
    private record Subject(
            String kind,
            String endpoint,
            Map<String, String> parameters,
            Map<String, String> secret,
            Map<String, String> wrong,
            Runnable stop)
            implements AutoCloseable {

        static Subject start(StoreKind kind) {
            if (kind == StoreKind.GCS) {
                return ofGcs(GcsServer.start());
            }
            LocalStore server = LocalStore.start(kind);
            StoreAccess access = server.access();
            if (kind == StoreKind.AZURE) {
                return new Subject(
                        "azure",
                        access.iamEndpoint(),
                        Map.of("storageAccount", access.accessKeyId()),
                        Map.of("AZURE_STORAGE_KEY", access.secretAccessKey()),
                        Map.of("AZURE_STORAGE_KEY", Base64.getEncoder().encodeToString(new byte[64])),
                        server::close);
            }
            return new Subject(
                    "s3",
                    access.endpoint(),
                    Map.of("identity", kind.text()),
                    keys(access.accessKeyId(), access.secretAccessKey()),
                    keys(access.accessKeyId(), "not-the-secret"),
                    server::close);
        }

        /** The parameter that limits how long a response takes. */
        String timeout() {
            return kind.equals("s3") ? "readTimeout" : "requestTimeout";
        }

        private static Subject ofGcs(GcsServer server) {
            try (GcsServer other = GcsServer.start()) {
                String key = "GOOGLE_SERVICE_ACCOUNT_JSON";
                return new Subject(
                        "gcs",
                        server.endpoint(),
                        server.parameters(),
                        Map.of(key, server.administratorKey()),
                        Map.of(key, other.administratorKey().replace(other.endpoint(), server.endpoint())),
                        server::close);
            }
        }

        private static Map<String, String> keys(String id, String secret) {
            return Map.of("AWS_ACCESS_KEY_ID", id, "AWS_SECRET_ACCESS_KEY", secret);
        }

        @Override
        public void close() {
            stop.run();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MINIO", "CEPH", "AZURE", "GCS"})
    void aWrongCertificateAWrongKeyAndAStoreThatHangsAreReportedAndOtherClaimsAreServed(StoreKind kind)
            throws IOException {
        HttpsServer impostor = impostor();
        try (Subject subject = Subject.start(kind);
                SocketProxy hanging =
                        new SocketProxy(URI.create(subject.endpoint()).getPort())) {
            bench.foreignSecret("administrator", subject.secret());
            bench.foreignSecret("wrong", subject.wrong());
            bench.startInstalledStores(cluster.user(subject.kind()), subject.kind());
            hanging.swallow();
            claim(
                    "untrusted",
                    subject,
                    Map.of(
                            "endpoint",
                            "https://127.0.0.1:" + impostor.getAddress().getPort(),
                            "caBundle",
                            CertificateAuthority.create().credential().certificatePem()));
            claim("denied", subject, Map.of("secretName", "wrong"));
            claim("hangs", subject, Map.of("endpoint", "http://127.0.0.1:" + hanging.port(), subject.timeout(), "1s"));
            claim("works", subject, Map.of());

            bench.awaitBound("works");
            assertThat(bench.awaitReason("untrusted", "StoreUnavailable"))
                    .contains("certificate")
                    .contains("caBundle");
            assertThat(bench.awaitReason("denied", "StoreDenied"))
                    .contains("dministrator")
                    .doesNotContain("not-the-secret");
            assertThat(bench.awaitReason("hangs", "StoreUnavailable")).contains("does not respond");

            hanging.restore();
            bench.awaitBound("hangs");
            assertThat(List.of(bench.reason("untrusted"), bench.reason("denied")))
                    .containsExactly("StoreUnavailable", "StoreDenied");
            bench.remove("works", "hangs", "untrusted", "denied");
        } finally {
            impostor.stop(0);
        }
    }

    private void claim(String name, Subject subject, Map<String, String> changed) {
        Map<String, String> parameters = new HashMap<>(subject.parameters());
        parameters.put("endpoint", subject.endpoint());
        parameters.put("secretName", "administrator");
        parameters.put("secretNamespace", cluster.namespace());
        parameters.putAll(changed);
        bench.newBucket(name, bench.storageClass(name, parameters));
    }

    /** Serves https with a certificate of an authority that nobody trusts. */
    private static HttpsServer impostor() throws IOException {
        CertificateAuthority authority = CertificateAuthority.create();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(authority
                .server(List.of("localhost"), List.of("127.0.0.1"))
                .tls(authority.credential().certificate())));
        server.start();
        return server;
    }
}
