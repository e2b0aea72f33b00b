package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.FaultProxy;
import io.bucketwright.testing.OnCluster;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Claims on MinIO and on the Ceph object gateway, with the SDK of an application that knows only Secret and ConfigMap. */
@OnCluster
@Order(5)
class StoreIdentitiesIT extends BucketTestBase {

    private static final Logger LOG = LoggerFactory.getLogger(StoreIdentitiesIT.class);

    /**
     * The life of a claim.
     *
     * @param binding requests to the store until a claim is Bound, as in docs/stores.md
     * @param deletion requests to the store until an empty bucket is deleted
     */
    @ParameterizedTest
    @CsvSource({"MINIO, 15, 8", "CEPH, 18, 14"})
    void aClaimIsBoundUsedRotatedAndReleasedWithoutARequestTooMany(StoreKind kind, long binding, long deletion) {
        try (LocalStore server = LocalStore.start(kind);
                FaultProxy proxy = FaultProxy.to(server.access().endpoint())) {
            String storageClass = start(kind, server, proxy.url());
            bench.bind("first", storageClass);
            long before = proxy.requests();
            bench.bind("second", storageClass);
            assertThat(proxy.requests() - before).as("requests of a claim").isEqualTo(binding);

            Map<String, String> config = bench.config("second");
            Map<String, String> old = bench.keys("second");
            String bucket = config.getOrDefault("BUCKET_NAME", "");
            String other = bench.bucketName("first");
            try (S3Client s3 = S3Clients.withoutChecksums(config, old)) {
                S3Clients.put(s3, bucket, "world");
                assertThatThrownBy(() -> S3Clients.put(s3, other, "x")).isInstanceOf(S3Exception.class);

                bench.rotate("second");
                Eventually.await("a new key").until(() -> !bench.keys("second").equals(old));
                try (S3Client renewed = S3Clients.withoutChecksums(config, bench.keys("second"))) {
                    assertThat(S3Clients.read(renewed, bucket)).isEqualTo("world");
                    Eventually.await("the end of the old key").until(() -> S3Clients.status(s3, bucket) == 403);
                    bench.remove("second");
                    assertThat(S3Clients.status(renewed, bucket)).isIn(403, 404);
                }
            }
            before = proxy.requests();
            bench.remove("first");
            assertThat(proxy.requests() - before).as("requests of a deletion").isEqualTo(deletion);
        }
    }

    /** The requests of many claims that 16 workers serve at the same time are those of as many single claims. */
    @ParameterizedTest
    @CsvSource({"MINIO, 15, 8", "CEPH, 18, 14"})
    void manyClaimsAreBoundAndDeletedAndNothingIsLeftInTheStore(StoreKind kind, long binding, long deletion) {
        int claims = Integer.getInteger("bucketwright.store.claims", 40);
        String[] names = IntStream.range(0, claims).mapToObj(i -> "claim-" + i).toArray(String[]::new);
        try (LocalStore server = LocalStore.start(kind);
                FaultProxy proxy = FaultProxy.to(server.access().endpoint())) {
            String storageClass = start(kind, server, proxy.url());
            List<String> before = StoreContents.of(kind, server.access());
            long start = System.nanoTime();
            Stream.of(names).forEach(name -> bench.newBucket(name, storageClass));
            Stream.of(names).forEach(bench::awaitBound);
            long bound = proxy.requests();
            long boundAt = System.nanoTime();
            assertThat(StoreContents.of(kind, server.access())).hasSizeGreaterThanOrEqualTo(before.size() + 2 * claims);
            bench.remove(names);
            LOG.info(
                    "{}: {} claims were bound in {} ms and deleted in {} ms",
                    kind,
                    claims,
                    (boundAt - start) / 1_000_000,
                    (System.nanoTime() - boundAt) / 1_000_000);
            assertThat(StoreContents.of(kind, server.access())).isEqualTo(before);
            assertThat(bound).as("requests of all claims").isEqualTo(claims * binding);
            assertThat(proxy.requests() - bound).as("requests of all deletions").isEqualTo(claims * deletion);
        }
    }

    private String start(StoreKind kind, LocalStore server, String endpoint) {
        bench.startInstalledStores("s3", S3Clients.keys(server.access()));
        // A slow machine must not cause retries: requests are counted.
        return bench.storageClass(
                kind.text(),
                bench.administered(Map.of(
                        "endpoint", endpoint,
                        "identity", kind.text(),
                        "rotationOverlap", "0s",
                        "onNotEmpty", "purge",
                        "readTimeout", "60s")));
    }
}
