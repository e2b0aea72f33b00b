package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.Capability;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnCluster
class ClassesIT {

    @Test
    void aClaimWithoutAClassGetsTheDefaultOneAndTwoDefaultsAreAnErrorOnTheClaim(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String first = bench.storageClass("first", Map.of());
            String second = bench.storageClass("second", Map.of());
            annotate(cluster, first, "true");
            bench.provisioner(cluster.user("buckets"), store);
            bench.claim("mine", ObjectBucketClaimSpec.builder().generateBucketName("photos"));
            bench.awaitBound("mine");
            assertThat(bench.bucketOf("mine").getSpec().storageClassName()).isEqualTo(first);

            annotate(cluster, second, "true");
            bench.claim("torn", ObjectBucketClaimSpec.builder().generateBucketName("photos"));
            assertThat(bench.awaitReason("torn", "MultipleDefaultClasses")).contains(first, second);
            annotate(cluster, second, "false");
            bench.awaitBound("torn");
        }
    }

    @Test
    void anAdministratorCanLetAFullBucketBeEmptiedThatStandsInTheWay(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("full", storageClass);
            String bucket = bench.awaitBound("full").getSpec().bucket().orElseThrow();
            store.fill(bucket, 25);
            bench.delete("full");
            assertThat(bench.awaitReason("full", "BucketNotEmpty")).contains("bucketwright.io/on-not-empty=purge");
            ObjectBucket object = bench.bucketOf("full");
            bench.admin().resource(object).edit(it -> {
                it.getMetadata().setAnnotations(Map.of("bucketwright.io/on-not-empty", "purge"));
                return it;
            });
            bench.awaitGone("full");
            assertThat(store.has(bucket)).isFalse();
        }
    }

    @Test
    void labelsOfAClaimBecomeTagsOfItsBucketWhereTheClassSaysSoAndFollowChanges(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of("labelsAsTags", "true"));
            bench.provisioner(cluster.user("buckets"), store);
            bench.claim(
                    "mine",
                    ObjectBucketClaimSpec.builder()
                            .storageClassName(storageClass)
                            .generateBucketName("photos"),
                    Map.of("team", "red"));
            String bucket = bench.awaitBound("mine").getSpec().bucket().orElseThrow();
            assertThat(tags(store, bucket)).containsEntry("team", "red");
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                claim.getMetadata().getLabels().put("team", "blue");
                return claim;
            });
            Bench.await("the new tag")
                    .until(() -> "blue".equals(tags(store, bucket).get("team")));
        }
    }

    @Test
    void onAStoreThatCannotRotateTheOldKeyGoesAtOnceAndTheClaimStaysReady(TestCluster cluster) {
        MemoryStore store = new MemoryStore().without(Capability.ROTATE);
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of("rotationOverlap", "1s"));
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> old = bench.keys("mine");
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                claim.getMetadata()
                        .getAnnotations()
                        .put(
                                "bucketwright.io/rotate-at",
                                Instant.now().minusSeconds(1).toString());
                return claim;
            });
            Bench.await("new keys").until(() -> !bench.keys("mine").equals(old));
            bench.awaitSettled();
            assertThat(bench.isBoundAndTold("mine")).isTrue();
            assertThat(store.keys()).isEqualTo(1);
            assertThat(bench.opens(store, "mine")).isTrue();
            assertThat(store.count("retire")).isZero();
        }
    }

    @Test
    void aClassLimitsWhichNamespacesMayUseIt(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("other", Map.of("allowedNamespaces", "team-*,prod"));
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            assertThat(bench.awaitReason("mine", "NamespaceNotAllowed")).contains(cluster.namespace());
            assertThat(store.calls()).isEmpty();
            assertThat(store.names()).isEmpty();
        }
    }

    @Test
    void whatABucketHoldsAndMayHoldIsAMetricAndCostsTheApiServerNothing(TestCluster cluster) throws IOException {
        MemoryStore store = new MemoryStore();
        ApiUser user = cluster.user("buckets");
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of("maxObjects", "50"));
            int port = bench.provisioner(user, store, builder -> builder.usageInterval(Duration.ofMillis(200)))
                    .port();
            bench.newBucket("mine", storageClass);
            String bucket = bench.awaitBound("mine").getSpec().bucket().orElseThrow();
            Bench.await("the event").until(() -> bench.isBoundAndTold("mine"));
            RequestCounts before = cluster.requests(user);
            store.fill(bucket, 12);
            String labels = "{bucket=\"" + bucket + "\",claim=\"mine\",namespace=\"" + cluster.namespace() + "\"} ";
            Bench.await("the usage").until(() -> metrics(port).contains("bucketwright_bucket_objects" + labels + "12"));
            assertThat(metrics(port))
                    .contains("bucketwright_bucket_size_bytes" + labels + "12000")
                    .contains("bucketwright_bucket_quota_objects" + labels + "50")
                    .doesNotContain("bucketwright_bucket_quota_size_bytes{");
            assertThat(cluster.requests(user).since(before).all()).isEmpty();
            store.fill(bucket, 0);
            bench.delete("mine");
            bench.awaitGone("mine");
            Bench.await("the end of the metric").until(() -> !metrics(port).contains(bucket));
        }
    }

    private static String metrics(int port) throws IOException {
        try (InputStream page =
                URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> tags(MemoryStore store, String bucket) {
        return store.options(bucket)
                .find(BucketOption.Tags.class)
                .map(BucketOption.Tags::tags)
                .orElse(Map.of());
    }

    private static void annotate(TestCluster cluster, String storageClass, String value) {
        cluster.admin().storage().v1().storageClasses().withName(storageClass).edit((StorageClass it) -> {
            it.getMetadata().setAnnotations(Map.of("bucketwright.io/default-bucket-class", value));
            return it;
        });
    }
}
