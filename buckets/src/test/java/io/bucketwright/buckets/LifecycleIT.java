package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@OnCluster
class LifecycleIT {

    @Test
    void aBucketThatHoldsSomethingStaysUntilItIsEmptyAndTheClaimSaysHowToGoOn(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("full", storageClass);
            String bucket = bench.awaitBound("full").getSpec().bucket().orElseThrow();
            store.fill(bucket, 3);
            bench.delete("full");
            assertThat(bench.awaitReason("full", "BucketNotEmpty"))
                    .contains("Empty it")
                    .contains("onNotEmpty: purge");
            assertThat(bench.opens(store, "full"))
                    .as("its owner can still empty it")
                    .isTrue();
            store.fill(bucket, 0);
            bench.awaitGone("full");
            assertThat(store.names()).isEmpty();
        }
    }

    @Test
    void purgeAndEraseWorkInSlicesAndRetainAndSuspendKeepEverything(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            bench.provisioner(cluster.user("buckets"), store);
            Map<String, Map<String, String>> classes = Map.of(
                    "purge", Map.of("onNotEmpty", "purge"),
                    "erase", Map.of("reclaimPolicy", "Erase"),
                    "retain", Map.of("reclaimPolicy", "Retain"),
                    "suspend", Map.of("reclaimPolicy", "Suspend"));
            Map<String, String> buckets = new HashMap<>();
            classes.forEach((name, parameters) -> bench.newBucket(name, bench.storageClass(name, parameters)));
            classes.keySet()
                    .forEach(name -> buckets.put(
                            name, bench.awaitBound(name).getSpec().bucket().orElseThrow()));
            buckets.values().forEach(bucket -> store.fill(bucket, 35));
            classes.keySet().forEach(bench::delete);
            classes.keySet().forEach(bench::awaitGone);
            assertThat(store.names())
                    .containsExactlyInAnyOrder(
                            buckets.getOrDefault("erase", ""),
                            buckets.getOrDefault("retain", ""),
                            buckets.getOrDefault("suspend", ""));
            assertThat(store.objects(buckets.getOrDefault("erase", ""))).isZero();
            assertThat(store.mark(buckets.getOrDefault("erase", ""))).startsWith("released:");
            assertThat(store.objects(buckets.getOrDefault("retain", ""))).isEqualTo(35);
            assertThat(store.mark(buckets.getOrDefault("retain", ""))).startsWith("released:");
            assertThat(store.objects(buckets.getOrDefault("suspend", ""))).isEqualTo(35);
            assertThat(store.principals()).as("the suspended one can be lifted").isEqualTo(1);
            assertThat(store.count("delete")).isEqualTo(4);
            assertThat(store.count("erase")).isEqualTo(4);
        }
    }

    @Test
    void aRetainedBucketIsClaimedAgainThroughAClassThatAdoptsIt(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        store.existing("precious-data");
        try (Bench bench = new Bench(cluster)) {
            bench.provisioner(cluster.user("buckets"), store);
            String retain = bench.storageClass("retain", Map.of("reclaimPolicy", "Retain"));
            String adopt = bench.storageClass("adopt", Map.of("adopt", "photos-*,precious-*"));
            bench.newBucket("first", retain);
            String bucket = bench.awaitBound("first").getSpec().bucket().orElseThrow();
            bench.delete("first");
            bench.awaitGone("first");
            bench.claim(
                    "second",
                    ObjectBucketClaimSpec.builder().storageClassName(adopt).bucketName(bucket)); // rook#5510
            bench.awaitBound("second");
            assertThat(store.mark(bucket)).startsWith("adopted:");
            bench.claim(
                    "thief",
                    ObjectBucketClaimSpec.builder().storageClassName(adopt).bucketName("precious-data"));
            bench.awaitReason("thief", "BucketTaken"); // rook#16111
            assertThat(bench.get("thief").phase()).isEqualTo(Phase.FAILED);
            bench.delete("thief");
            bench.awaitGone("thief");
            bench.delete("second");
            bench.awaitGone("second");
            assertThat(store.has(bucket))
                    .as("an adopted bucket is an existing bucket for ever")
                    .isTrue();
            assertThat(store.mark(bucket)).startsWith("released:");
            assertThat(store.mark("precious-data")).isEmpty();
        }
    }

    @Test
    void anotherClaimsBucketNameIsRefusedAndItsEndLeavesThatBucketAlone(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            ObjectBucketClaimSpec.Builder spec = ObjectBucketClaimSpec.builder()
                    .storageClassName(storageClass)
                    .bucketName("my-photos");
            bench.claim("one", spec);
            bench.awaitBound("one");
            bench.claim("two", spec);
            bench.awaitReason("two", "BucketTaken"); // rook#12389, rook#16202
            assertThat(bench.get("two").phase()).isEqualTo(Phase.FAILED);
            bench.delete("one");
            bench.awaitGone("one");
            bench.delete("two");
            bench.awaitGone("two");
            assertThat(store.names()).isEmpty();
        }
    }

    @Test
    void aStoreThatIsDownForAWhileDelaysBindingAndDeletionAndNothingElse(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        AtomicBoolean down = new AtomicBoolean(true);
        store.before(call -> {
            if (down.get()) {
                throw new Unavailable("The store is away.");
            }
        });
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitReason("mine", "StoreUnavailable");
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.PENDING);
            down.set(false);
            bench.awaitBound("mine");
            down.set(true);
            bench.delete("mine");
            bench.awaitReason("mine", "StoreUnavailable");
            down.set(false);
            bench.awaitGone("mine");
            assertThat(store.names()).isEmpty();
        }
    }

    @Test
    void aDeletionInterruptsAProvisioningThatHangs(TestCluster cluster) throws InterruptedException {
        MemoryStore store = new MemoryStore();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        HangingStore hanging = new HangingStore(store, begun, interrupted);
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), hanging);
            bench.newBucket("mine", storageClass);
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            bench.delete("mine");
            bench.awaitGone("mine"); // lib#171
            assertThat(interrupted).isTrue();
        }
    }

    @Test
    void keysAreRotatedByAnnotationAndTheOldOneDiesAfterTheOverlap(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of("rotationOverlap", "3s"));
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> old = bench.keys("mine");
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                Map<String, String> annotations =
                        new HashMap<>(claim.getMetadata().getAnnotations());
                annotations.put(
                        "bucketwright.io/rotate-at",
                        Instant.now().minusSeconds(1).toString());
                claim.getMetadata().setAnnotations(annotations);
                return claim;
            });
            Bench.await("new keys").until(() -> !bench.keys("mine").equals(old));
            String bucket = bench.configMap("mine").getData().getOrDefault("BUCKET_NAME", "");
            assertThat(store.opens(
                            old.getOrDefault("ACCESS_KEY_ID", ""), old.getOrDefault("SECRET_ACCESS_KEY", ""), bucket))
                    .as("both are valid for a while")
                    .isTrue();
            assertThat(bench.opens(store, "mine")).isTrue();
            Bench.await("the old key to die").until(() -> store.keys() == 1);
            assertThat(bench.opens(store, "mine")).isTrue();
            bench.awaitSettled();
            assertThat(store.count("grant")).isEqualTo(1);
            assertThat(store.count("retire")).isEqualTo(1);
        }
    }

    @Test
    void optionsOfTheClaimReachTheBucketAlsoLaterAndWrongOnesAreRefusedByName(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of("maxSize", "1Gi"));
            bench.provisioner(cluster.user("buckets"), store);
            ObjectBucketClaimSpec.Builder spec = ObjectBucketClaimSpec.builder()
                    .storageClassName(storageClass)
                    .generateBucketName("photos");
            bench.claim("typo", spec.additionalConfig(Map.of("maxObjcts", "5")));
            assertThat(bench.awaitReason("typo", "Invalid")).contains("maxObjcts"); // rook#14764
            bench.claim("greedy", spec.additionalConfig(Map.of("policy", "{}")));
            assertThat(bench.awaitReason("greedy", "Invalid")).contains("policy");
            bench.claim("mine", spec.additionalConfig(Map.of("maxObjects", "5")));
            String bucket = bench.awaitBound("mine").getSpec().bucket().orElseThrow();
            assertThat(store.options(bucket).find(BucketOption.Quota.class).orElseThrow())
                    .isEqualTo(new BucketOption.Quota(1L << 30, 5));
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                claim.setSpec(claim.getSpec().toBuilder()
                        .additionalConfig(Map.of("maxObjects", "7"))
                        .build());
                return claim;
            });
            Bench.await("the new quota") // rook#7146
                    .until(() -> store.options(bucket)
                                    .find(BucketOption.Quota.class)
                                    .orElseThrow()
                                    .maxObjects()
                            == 7);
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                claim.setSpec(claim.getSpec().toBuilder()
                        .additionalConfig(Map.of("nonsense", "7"))
                        .build());
                return claim;
            });
            assertThat(bench.awaitReason("mine", "OptionsNotApplied")).contains("nonsense");
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
            bench.admin().resource(bench.get("typo")).edit(claim -> {
                claim.setSpec(claim.getSpec().toBuilder()
                        .additionalConfig(Map.of("maxObjects", "5"))
                        .build());
                return claim;
            });
            bench.awaitBound("typo");
        }
    }
}
