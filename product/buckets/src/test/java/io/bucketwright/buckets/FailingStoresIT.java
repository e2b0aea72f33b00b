package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.FaultProxy;
import io.bucketwright.testing.HttpFault;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import io.bucketwright.testing.gcs.GcsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What a claim reports if its store has another certificate, rejects the administrator, hangs, limits requests or is not at
 * the endpoint, for each kind of store, and that it is Bound when that is fixed, without a restart of the controller.
 */
@OnCluster
@Order(5)
class FailingStoresIT extends BucketTestBase {

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
            return of(LocalStore.start(kind), kind);
        }

        static Subject of(LocalStore server, StoreKind kind) {
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
                    S3Clients.keys(access),
                    S3Clients.keys(access.accessKeyId(), "not-the-secret"),
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

        @Override
        public void close() {
            stop.run();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MINIO", "CEPH", "AZURE", "GCS"})
    void eachProblemIsReportedOnItsClaimOthersAreServedAndTheClaimIsBoundWhenItIsFixed(StoreKind kind)
            throws IOException {
        CertificateAuthority authority = CertificateAuthority.create();
        HttpServer website = website();
        try (Subject subject = Subject.start(kind);
                FaultProxy untrusted = FaultProxy.tls(subject.endpoint(), certificate(CertificateAuthority.create()));
                FaultProxy throttled = FaultProxy.to(subject.endpoint());
                SocketProxy hanging =
                        new SocketProxy(URI.create(subject.endpoint()).getPort())) {
            bench.foreignSecret("wrong", subject.wrong());
            bench.startInstalledStores(subject.kind(), subject.secret());
            hanging.swallow();
            throttled.inject(1, new HttpFault.Status(503, "1"), new HttpFault.Status(429, "1"));
            String bundle = authority.credential().certificatePem();
            claim("untrusted", subject, Map.of("endpoint", untrusted.url(), "caBundle", bundle));
            claim("denied", subject, Map.of("secretName", "wrong"));
            claim("hangs", subject, Map.of("endpoint", "http://127.0.0.1:" + hanging.port(), subject.timeout(), "1s"));
            claim("throttled", subject, Map.of("endpoint", throttled.url()));
            claim(
                    "elsewhere",
                    subject,
                    Map.of(
                            "endpoint",
                            "http://127.0.0.1:" + website.getAddress().getPort()));
            claim("works", subject, Map.of());

            bench.awaitBound("works");
            assertThat(bench.awaitReason("untrusted", "StoreUnavailable"))
                    .contains("certificate")
                    .contains("caBundle");
            assertThat(bench.awaitReason("denied", "StoreDenied"))
                    .contains("dministrator")
                    .doesNotContain("not-the-secret");
            assertThat(bench.awaitReason("hangs", "StoreUnavailable")).contains("does not respond");
            // On a busy machine the first attempt can time out.
            Eventually.await("the response of the throttled store")
                    .untilAsserted(() -> assertThat(bench.awaitReason("throttled", "StoreUnavailable"))
                            .containsPattern("responded (503|429)"));
            assertThat(bench.awaitReason("elsewhere", "StoreUnavailable"))
                    .contains("404")
                    .contains("endpoint");

            hanging.restore();
            bench.awaitBound("hangs");
            throttled.restore();
            bench.awaitBound("throttled");
            assertThat(List.of(bench.reason("untrusted"), bench.reason("denied"), bench.reason("elsewhere")))
                    .containsExactly("StoreUnavailable", "StoreDenied", "StoreUnavailable");
            untrusted.replaceCertificate(certificate(authority));
            bench.awaitBound("untrusted");
            bench.replaceSecret("wrong", subject.secret());
            bench.awaitBound("denied");
            bench.deleteClass(cluster.namespace() + "-elsewhere");
            storageClass("elsewhere", subject, Map.of());
            bench.awaitBound("elsewhere");
            bench.remove("works", "hangs", "throttled", "untrusted", "denied", "elsewhere");
        } finally {
            website.stop(0);
        }
    }

    /** What an administrator of a Ceph object gateway limits: its own capabilities, and the buckets of a user. */
    @Test
    void aMissingCapabilityAndAFullUserAreReportedAndTheClaimIsBoundWhenThereIsMore() {
        try (LocalStore server = LocalStore.start(StoreKind.CEPH)) {
            StoreAccess access = server.access();
            Subject subject = Subject.of(server, StoreKind.CEPH);
            bench.foreignSecret("limited", cephUser(access, "limited", Map.of("user-caps", "buckets=*")));
            cephUser(access, "small", Map.of("max-buckets", "1"));
            bench.startInstalledStores("s3", subject.secret());

            claim("denied", subject, Map.of("secretName", "limited"));
            assertThat(bench.awaitReason("denied", "StoreDenied")).contains("403");
            String small = storageClass("small", subject, Map.of("bucketOwner", "small"));
            bench.bind("first", small);
            bench.newBucket("second", small);
            assertThat(bench.awaitReason("second", "StoreDenied"))
                    .contains("TooManyBuckets")
                    .contains("maximum number of buckets");
            claim("works", subject, Map.of());
            bench.awaitBound("works");

            StoreContents.send(
                    access,
                    SdkHttpMethod.PUT,
                    "/admin/user",
                    Map.of("caps", "", "uid", "limited", "user-caps", "users=*"));
            bench.awaitBound("denied");
            bench.remove("first");
            bench.awaitBound("second");
            bench.remove("works", "denied", "second");
        }
    }

    /** MinIO measures the usage of buckets slowly, but refuses an object that is larger than the quota at once. */
    @Test
    void anApplicationOfMinioWritesAgainWhenTheQuotaOfItsClaimIsRaised() {
        try (LocalStore server = LocalStore.start(StoreKind.MINIO)) {
            Subject subject = Subject.of(server, StoreKind.MINIO);
            bench.startInstalledStores("s3", subject.secret());
            String storageClass = storageClass("quota", subject, Map.of());
            bench.newBucket("full", storageClass, Map.of("maxSize", "1Ki"));
            bench.bind("other", storageClass);
            bench.awaitBound("full");
            try (S3Client full = application("full");
                    S3Client other = application("other")) {
                assertThatThrownBy(() -> put(full, "full"))
                        .isInstanceOfSatisfying(
                                S3Exception.class,
                                e -> assertThat(e.awsErrorDetails().errorCode())
                                        .isEqualTo("XMinioAdminBucketQuotaExceeded"));
                put(other, "other");
                bench.setOptions("full", Map.of("maxSize", "1Mi"));
                Eventually.await("the new quota").until(() -> bench.isCurrent("full"));
                put(full, "full");
            }
        }
    }

    private S3Client application(String claim) {
        return S3Clients.application(bench.config(claim), bench.keys(claim));
    }

    /** Writes an object of two KiB. */
    private void put(S3Client s3, String claim) {
        s3.putObject(
                request -> request.bucket(bench.bucketName(claim)).key("large"), RequestBody.fromBytes(new byte[2048]));
    }

    /** The keys of a new user of a Ceph object gateway. */
    private static Map<String, String> cephUser(StoreAccess access, String uid, Map<String, String> more) {
        Map<String, String> query = new HashMap<>(Map.of("uid", uid, "display-name", uid));
        query.putAll(more);
        return StoreContents.cephKeys(StoreContents.send(access, SdkHttpMethod.PUT, "/admin/user", query));
    }

    private void claim(String name, Subject subject, Map<String, String> changed) {
        bench.newBucket(name, storageClass(name, subject, changed));
    }

    private String storageClass(String name, Subject subject, Map<String, String> changed) {
        Map<String, String> parameters = bench.administered(subject.parameters());
        parameters.put("endpoint", subject.endpoint());
        parameters.putAll(changed);
        return bench.storageClass(name, parameters);
    }

    /** A server that is no store. */
    private static HttpServer website() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] page = "<html>Not here</html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(404, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return server;
    }
}
