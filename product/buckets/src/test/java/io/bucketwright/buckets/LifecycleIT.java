package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@OnCluster
@Order(5)
class LifecycleIT extends BucketTestBase {

    @Test
    void aBucketThatIsNotEmptyIsKeptAndTheClaimReportsHowToContinue() {
        String bucket = bench.deleteWithObjects("full", 3);
        assertThat(bench.awaitReason("full", "BucketNotEmpty"))
                .contains("Empty it")
                .contains("bucketwright.io/on-not-empty=purge");
        assertThat(bench.opens("full")).as("its owner can still empty it").isTrue();
        store.fill(bucket, 0);
        bench.awaitDeleted("full");
        assertThat(store.names()).isEmpty();
    }

    @Test
    void purgeAndEraseWorkInSlicesAndRetainAndSuspendKeepEverything() {
        bench.start();
        Map<String, Map<String, String>> classes = Map.of(
                "purge", Map.of("onNotEmpty", "purge"),
                "erase", Map.of("reclaimPolicy", "Erase"),
                "retain", Map.of("reclaimPolicy", "Retain"),
                "suspend", Map.of("reclaimPolicy", "Suspend"));
        classes.forEach((name, parameters) -> bench.newBucket(name, bench.storageClass(name, parameters)));
        Map<String, String> buckets =
                classes.keySet().stream().collect(Collectors.toMap(name -> name, bench::awaitBound));
        buckets.values().forEach(bucket -> store.fill(bucket, 35));
        bench.remove(classes.keySet().toArray(String[]::new));
        String erased = buckets.getOrDefault("erase", "");
        String retained = buckets.getOrDefault("retain", "");
        String suspended = buckets.getOrDefault("suspend", "");
        assertThat(store.names()).containsExactlyInAnyOrder(erased, retained, suspended);
        assertThat(store.objects(erased)).isZero();
        assertThat(store.tag(erased)).startsWith("released:");
        assertThat(store.objects(retained)).isEqualTo(35);
        assertThat(store.tag(retained)).startsWith("released:");
        assertThat(store.objects(suspended)).isEqualTo(35);
        assertThat(store.principals()).as("the suspended one can be lifted").isEqualTo(1);
        assertThat(store.count("delete")).isEqualTo(4);
        assertThat(store.count("erase")).isEqualTo(4);
    }

    @Test
    void aRetainedBucketIsClaimedAgainThroughAClassThatAdoptsIt() {
        store.existing("precious-data");
        bench.start();
        String retain = bench.storageClass("retain", Map.of("reclaimPolicy", "Retain"));
        String adopt = bench.storageClass("adopt", Map.of("adopt", "photos-*,precious-*"));
        String bucket = bench.bind("first", retain);
        bench.remove("first");
        bench.claim("second", BucketFixture.spec(adopt).bucketName(bucket)); // rook#5510
        bench.awaitBound("second");
        assertThat(store.tag(bucket)).startsWith("adopted:");
        bench.claim("thief", BucketFixture.spec(adopt).bucketName("precious-data"));
        bench.awaitReason("thief", "BucketTaken"); // rook#16111
        assertThat(bench.get("thief").phase()).isEqualTo(Phase.FAILED);
        bench.remove("thief");
        bench.remove("second");
        assertThat(store.has(bucket))
                .as("an adopted bucket is an existing bucket for ever")
                .isTrue();
        assertThat(store.tag(bucket)).startsWith("released:");
        assertThat(store.tag("precious-data")).isEmpty();
    }

    @Test
    void theBucketNameOfAnotherClaimIsRejectedAndItsBucketIsNotChanged() {
        String storageClass = bench.start(Map.of());
        ObjectBucketClaimSpec.Builder spec = BucketFixture.spec(storageClass).bucketName("my-photos");
        bench.claim("one", spec);
        bench.awaitBound("one");
        bench.claim("two", spec);
        bench.awaitReason("two", "BucketTaken"); // rook#12389, rook#16202
        assertThat(bench.get("two").phase()).isEqualTo(Phase.FAILED);
        bench.remove("one");
        bench.remove("two");
        assertThat(store.names()).isEmpty();
    }

    @Test
    void anUnavailableStoreDelaysBindingAndDeletionAndNothingElse() {
        AtomicBoolean down = new AtomicBoolean(true);
        store.before(call -> {
            if (down.get()) {
                throw new Unavailable("The store is away.");
            }
        });
        String storageClass = bench.start(Map.of());
        bench.newBucket("mine", storageClass);
        bench.awaitReason("mine", "StoreUnavailable");
        assertThat(bench.get("mine").phase()).isEqualTo(Phase.PENDING);
        down.set(false);
        bench.awaitBound("mine");
        down.set(true);
        bench.delete("mine");
        bench.awaitReason("mine", "StoreUnavailable");
        down.set(false);
        bench.awaitDeleted("mine");
        assertThat(store.names()).isEmpty();
    }

    @Test
    void aDeletionInterruptsAProvisioningThatHangs() throws InterruptedException {
        HookedStore.Delay hanging = new HookedStore.Delay(Duration.ofMinutes(1), "provision"::equals);
        String storageClass = bench.storageClass("new", Map.of());
        bench.start(cluster.user("buckets"), new HookedStore(store, hanging), builder -> {});
        bench.newBucket("mine", storageClass);
        assertThat(hanging.begun().await(1, TimeUnit.MINUTES)).isTrue();
        bench.remove("mine"); // lib#171
        assertThat(hanging.interrupted()).isTrue();
    }

    @Test
    void keysAreRotatedByAnnotationAndTheOldOneIsDeletedAfterTheOverlap() {
        String storageClass = bench.start(Map.of("rotationOverlap", "3s"));
        bench.bind("mine", storageClass);
        Map<String, String> old = bench.keys("mine");
        bench.rotate("mine");
        assertThat(bench.opens(old, "mine")).as("both are valid for a while").isTrue();
        assertThat(bench.opens("mine")).isTrue();
        Eventually.await("deletion of the old key").until(() -> store.keys() == 1);
        assertThat(bench.opens("mine")).isTrue();
        bench.awaitSettled();
        assertThat(store.count("grant")).isEqualTo(1);
        assertThat(store.count("retire")).isEqualTo(1);
    }

    @Test
    void optionsOfTheClaimAreAppliedAlsoLaterAndInvalidOnesAreReportedByName() {
        String storageClass = bench.start(Map.of("maxSize", "1Gi"));
        ObjectBucketClaimSpec.Builder spec = BucketFixture.spec(storageClass).generateBucketName("photos");
        bench.claim("typo", spec.additionalConfig(Map.of("maxObjcts", "5")));
        assertThat(bench.awaitReason("typo", "Invalid")).contains("maxObjcts"); // rook#14764
        bench.claim("greedy", spec.additionalConfig(Map.of("policy", "{}")));
        assertThat(bench.awaitReason("greedy", "Invalid")).contains("policy");
        bench.claim("mine", spec.additionalConfig(Map.of("maxObjects", "5")));
        String bucket = bench.awaitBound("mine");
        assertThat(store.quota(bucket)).isEqualTo(new BucketOption.Quota(1L << 30, 5));
        bench.setOptions("mine", Map.of("maxObjects", "7"));
        Eventually.await("the new quota") // rook#7146
                .until(() -> store.quota(bucket).maxObjects() == 7);
        bench.setOptions("mine", Map.of("nonsense", "7"));
        assertThat(bench.awaitReason("mine", "OptionsNotApplied")).contains("nonsense");
        assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
        bench.setOptions("typo", Map.of("maxObjects", "5"));
        bench.awaitBound("typo");
    }
}
