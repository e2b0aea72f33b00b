package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What changes after a claim is bound, by those who may and those who should not. */
@OnCluster
class ChangesIT {

    @Test
    void otherNamesForKeysShowAtOnceAndTheFormerOnesGo(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            bench.admin().resource(bench.secret("mine")).edit(secret -> {
                secret.getData().put("THEIRS", "eWVz");
                return secret;
            });
            rename(bench, "AWS_ACCESS_KEY_ID=USER,BUCKET_HOST=HOST");
            Bench.await("the new names")
                    .until(() -> bench.keys("mine").containsKey("USER")
                            && bench.configMap("mine").getData().containsKey("HOST"));
            bench.awaitSettled();
            assertThat(bench.keys("mine"))
                    .containsKey("USER")
                    .containsEntry("THEIRS", "yes")
                    .doesNotContainKey("AWS_ACCESS_KEY_ID");
            assertThat(bench.configMap("mine").getData()).containsKey("HOST").doesNotContainKey("BUCKET_HOST");
            assertThat(store.opens(
                            bench.keys("mine").getOrDefault("USER", ""),
                            bench.keys("mine").getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                            bench.configMap("mine").getData().getOrDefault("BUCKET_NAME", "")))
                    .isTrue();
            rename(bench, "");
            Bench.await("the old names")
                    .until(() -> bench.keys("mine").containsKey("AWS_ACCESS_KEY_ID")
                            && bench.configMap("mine").getData().containsKey("BUCKET_HOST"));
            bench.awaitSettled();
            assertThat(bench.keys("mine")).doesNotContainKey("USER");
        }
    }

    private static void rename(Bench bench, String renames) {
        bench.admin().resource(bench.get("mine")).edit(claim -> {
            ObjectBucketClaimSpec.Builder spec = claim.getSpec().toBuilder();
            claim.setSpec(spec.additionalConfig(renames.isEmpty() ? Map.of() : Map.of("renameKeys", renames))
                    .build());
            return claim;
        });
    }

    @Test
    void anEditedEndpointIsPutRightAndNoApplicationEverReadsTheEdit(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> config = bench.configMap("mine").getData();
            bench.admin().resource(bench.bucketOf("mine")).edit(bucket -> {
                BucketEndpoint endpoint = bucket.getSpec().reachableAt().orElseThrow();
                Map<String, String> edited = new HashMap<>(endpoint.config());
                edited.put("BUCKET_HOST", "evil.test");
                bucket.setSpec(bucket.getSpec().toBuilder()
                        .endpoint(new BucketEndpoint(
                                "evil.test",
                                endpoint.bucketPort(),
                                endpoint.bucketName(),
                                endpoint.region(),
                                endpoint.subRegion(),
                                edited,
                                endpoint.additionalConfigData(),
                                endpoint.securePort(),
                                endpoint.ssl(),
                                endpoint.versioned(),
                                Map.of()))
                        .build());
                return bucket;
            });
            Bench.await("the endpoint as it was")
                    .until(() -> "memory.test"
                            .equals(bench.bucketOf("mine")
                                    .getSpec()
                                    .reachableAt()
                                    .orElseThrow()
                                    .bucketHost()));
            bench.awaitSettled();
            assertThat(bench.configMap("mine").getData()).isEqualTo(config);
            assertThat(bench.opens(store, "mine")).isTrue();
            assertThat(store.count("provision")).isEqualTo(1);
        }
    }

    @Test
    void aClaimWhoseClassDoesNotExistSaysSoInItsEventsAndItsStatusIsNotTouched(TestCluster cluster) {
        try (Bench bench = new Bench(cluster)) {
            bench.provisioner(cluster.user("buckets"), new MemoryStore());
            ObjectBucketClaim made = bench.newBucket("mine", cluster.namespace() + "-late");
            Bench.await("the event")
                    .until(() ->
                            bench
                                    .admin()
                                    .events()
                                    .v1()
                                    .events()
                                    .inNamespace(bench.namespace())
                                    .list()
                                    .getItems()
                                    .stream()
                                    .anyMatch(event -> "ClassNotFound".equals(event.getReason())
                                            && "mine"
                                                    .equals(event.getRegarding().getName())
                                            && event.getNote().contains(cluster.namespace() + "-late")));
            assertThat(bench.get("mine").getMetadata().getResourceVersion())
                    .as("rook#5675: told, and nothing written on what may be another provisioner's")
                    .isEqualTo(made.getMetadata().getResourceVersion());
            bench.storageClass("late", Map.of());
            bench.awaitBound("mine");
        }
    }
}
