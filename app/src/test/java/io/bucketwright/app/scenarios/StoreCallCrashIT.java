package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.core.sync.RequestBody;

/** A process that crashes at each of its calls to the real store, before and after the effect; the next one finishes. */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class StoreCallCrashIT {

    /** Each call crashes twice: before its effect, and after. */
    private static final int MOMENTS = 2;

    @TempDir
    private Path temporary;

    @Test
    void afterACrashAtAnyCallOfBindingThereIsOneBucketWithOneUserAndOneKeyThatWorks(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes = new StoreCrashes(scenario, cluster.user("buckets"), Map.of(), Map.of());
            int provision = 1;
            assertThat(crashes.ofFlow(
                            life -> {},
                            life -> scenario.claim(life.name(), fresh(life)),
                            life -> isBound(scenario, life.name())))
                    .isEqualTo(MOMENTS * provision);
            everyoneWorks(scenario);
        }
    }

    @Test
    void aClaimDeletedAfterItsProcessCrashedLeavesNothing(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes = new StoreCrashes(scenario, cluster.user("buckets"), Map.of(), Map.of());
            int provisionAndDelete = 2;
            assertThat(crashes.ofFlow(
                            life -> {},
                            life -> {
                                scenario.claim(life.name(), fresh(life));
                                Scenario.await("crash or bound")
                                        .until(() -> life.process().died() || isBound(scenario, life.name()));
                                scenario.at(life.name()).delete();
                            },
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * provisionAndDelete);
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void afterACrashAtAnyCallOfADeletionNothingIsLeft(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes =
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("onNotEmpty", "purge"), Map.of());
            int delete = 1;
            assertThat(crashes.ofFlow(
                            life -> bindAndFill(scenario, life),
                            life -> scenario.at(life.name()).delete(),
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * delete);
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void afterACrashAtAnyCallOfARotationTheKeysAreNewAndThereIsOneOfThem(TestCluster cluster)
            throws InterruptedException {
        String at = "2020-01-01T00:00:00Z";
        Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes =
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("rotationOverlap", "0s"), Map.of());
            int grantAndRetire = 2;
            assertThat(crashes.ofFlow(
                            life -> {
                                bind(scenario, life);
                                old.put(life.name(), scenario.keys(life.name()));
                            },
                            life -> scenario.at(life.name()).edit(claim -> {
                                Map<String, String> annotations =
                                        new HashMap<>(claim.getMetadata().getAnnotations());
                                annotations.put("bucketwright.io/rotate-at", at);
                                claim.getMetadata().setAnnotations(annotations);
                                return claim;
                            }),
                            life -> isBound(scenario, life.name())
                                    && state(scenario, life.name())
                                            .getOrDefault("bucketwright.io/rotated-for", "")
                                            .equals(at)
                                    && !state(scenario, life.name()).containsKey("bucketwright.io/previous-key")))
                    .isEqualTo(MOMENTS * grantAndRetire);
            everyoneWorks(scenario);
            assertThat(old)
                    .isNotEmpty()
                    .allSatisfy((name, keys) -> assertThat(StoreView.works(scenario.config(name), keys))
                            .as("the old key of %s is revoked", name)
                            .isFalse());
        }
    }

    @Test
    void afterACrashAtAnyCallOfAnOptionChangeTheBucketHasTheOption(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes = new StoreCrashes(
                    scenario, cluster.user("buckets"), Map.of("allowedOptions", "versioning"), Map.of());
            int update = 1;
            assertThat(crashes.ofFlow(
                            life -> bind(scenario, life),
                            life -> scenario.at(life.name()).edit(claim -> {
                                claim.setSpec(claim.getSpec().toBuilder()
                                        .versioned(true)
                                        .build());
                                return claim;
                            }),
                            life -> scenario.ready(life.name()).startsWith("Bound: ")
                                    && isUpToDate(scenario.get(life.name()))))
                    .isEqualTo(MOMENTS * update);
            everyoneWorks(scenario);
            assertThat(scenario.newBuckets())
                    .allSatisfy(bucket ->
                            assertThat(scenario.store().versioningOf(bucket)).isEqualTo("Enabled"));
        }
    }

    @Test
    void afterACrashAtAnyCallOfAnErasureTheBucketsAreEmptyFreeAndThere(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes =
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Erase"), Map.of());
            Map<String, String> uids = new ConcurrentHashMap<>();
            int eraseRevokeAndRelease = 3;
            assertThat(crashes.ofFlow(
                            life -> uids.put(bindAndFill(scenario, life), uid(scenario, life.name())),
                            life -> scenario.at(life.name()).delete(),
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * eraseRevokeAndRelease);
            areReleased(scenario, uids, 0);
        }
    }

    @Test
    void afterACrashAtAnyCallThatRetainsTheBucketsAreFullFreeAndThere(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes =
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Retain"), Map.of());
            Map<String, String> uids = new ConcurrentHashMap<>();
            int revokeAndRelease = 2;
            assertThat(crashes.ofFlow(
                            life -> uids.put(bindAndFill(scenario, life), uid(scenario, life.name())),
                            life -> scenario.at(life.name()).delete(),
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * revokeAndRelease);
            areReleased(scenario, uids, 1);
        }
    }

    @Test
    void afterACrashAtAnyCallOfASuspensionTheDataIsThereAndTheKeysAreDead(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes =
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Suspend"), Map.of());
            Map<String, Map<String, String>> keys = new ConcurrentHashMap<>();
            Map<String, Map<String, String>> config = new ConcurrentHashMap<>();
            int suspend = 1;
            assertThat(crashes.ofFlow(
                            life -> {
                                String bucket = bindAndFill(scenario, life);
                                keys.put(bucket, scenario.keys(life.name()));
                                config.put(bucket, scenario.config(life.name()));
                            },
                            life -> scenario.at(life.name()).delete(),
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * suspend);
            assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(keys.keySet());
            assertThat(scenario.newUsers()).hasSameSizeAs(keys.keySet());
            keys.forEach((bucket, issued) -> {
                assertThat(StoreView.works(config.getOrDefault(bucket, Map.of()), issued))
                        .isFalse();
                assertThat(objects(scenario, bucket)).isEqualTo(1);
                remove(scenario, bucket);
            });
        }
    }

    @Test
    void afterACrashAtAnyCallOfAnAdoptionTheKeysWorkAndTheDataIsThere(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes = adopting(scenario, cluster);
            Map<String, String> buckets = new ConcurrentHashMap<>();
            int adoptAndGrant = 2;
            assertThat(crashes.ofFlow(
                            life -> buckets.put(life.name(), retained(scenario, life)),
                            life -> scenario.claim(life.name(), adopted(life, buckets.getOrDefault(life.name(), ""))),
                            life -> isBound(scenario, life.name())))
                    .isEqualTo(MOMENTS * adoptAndGrant);
            everyoneWorks(scenario);
            buckets.values().forEach(bucket -> {
                assertThat(objects(scenario, bucket)).isEqualTo(1);
                remove(scenario, bucket);
            });
        }
    }

    @Test
    void afterACrashAtAnyCallThatEndsAnAdoptionTheBucketsAreFullFreeAndThere(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            StoreCrashes crashes = adopting(scenario, cluster);
            Map<String, String> uids = new ConcurrentHashMap<>();
            int revokeAndRelease = 2;
            assertThat(crashes.ofFlow(
                            life -> {
                                String bucket = retained(scenario, life);
                                scenario.claim(life.name(), adopted(life, bucket));
                                scenario.awaitBound(life.name());
                                uids.put(bucket, uid(scenario, life.name()));
                            },
                            life -> scenario.at(life.name()).delete(),
                            life -> isGone(scenario, life.name())))
                    .isEqualTo(MOMENTS * revokeAndRelease);
            areReleased(scenario, uids, 1);
        }
    }

    private static StoreCrashes adopting(Scenario scenario, TestCluster cluster) {
        return new StoreCrashes(
                scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Retain"), Map.of("adopt", "photos-*"));
    }

    private static ObjectBucketClaimSpec.Builder adopted(StoreCrashes.Life life, String bucket) {
        return Scenario.bucketNamed(life.ofOtherClass(), bucket);
    }

    /** A bucket whose claim is deleted, with one object in it. */
    private static String retained(Scenario scenario, StoreCrashes.Life life) {
        String first = life.name() + "-first";
        String bucket = bindAndFill(scenario, life, first);
        scenario.at(first).delete();
        Scenario.await(first + " to be gone").until(() -> isGone(scenario, first));
        return bucket;
    }

    private static ObjectBucketClaimSpec.Builder fresh(StoreCrashes.Life life) {
        return Scenario.newBucket(life.ofClass());
    }

    private static void bind(Scenario scenario, StoreCrashes.Life life) {
        scenario.claim(life.name(), fresh(life));
        scenario.awaitBound(life.name());
    }

    private static String bindAndFill(Scenario scenario, StoreCrashes.Life life) {
        return bindAndFill(scenario, life, life.name());
    }

    /** The bucket, with one object in it. */
    private static String bindAndFill(Scenario scenario, StoreCrashes.Life life, String name) {
        scenario.claim(name, fresh(life));
        scenario.awaitBound(name);
        String bucket = scenario.get(name).getSpec().bucket().orElseThrow();
        scenario.store()
                .administrator()
                .putObject(it -> it.bucket(bucket).key("data"), RequestBody.fromString("all of it"));
        return bucket;
    }

    private static void areReleased(Scenario scenario, Map<String, String> uids, int objects) {
        assertThat(scenario.newUsers()).isEmpty();
        assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(uids.keySet());
        uids.forEach((bucket, uid) -> {
            assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/released", uid);
            assertThat(objects(scenario, bucket)).isEqualTo(objects);
            remove(scenario, bucket);
        });
    }

    private static void everyoneWorks(Scenario scenario) {
        scenario.assertNoDuplicates();
        assertThat(scenario.claims())
                .isNotEmpty()
                .allSatisfy(
                        claim -> assertThat(scenario.works(claim.getMetadata().getName()))
                                .isTrue());
    }

    private static int objects(Scenario scenario, String bucket) {
        return scenario.store()
                .administrator()
                .listObjectsV2(it -> it.bucket(bucket))
                .contents()
                .size();
    }

    private static void remove(Scenario scenario, String bucket) {
        scenario.store().administrator().deleteObject(it -> it.bucket(bucket).key("data"));
        scenario.store().administrator().deleteBucket(it -> it.bucket(bucket));
    }

    private static String uid(Scenario scenario, String name) {
        return scenario.get(name).getMetadata().getUid();
    }

    private static boolean isBound(Scenario scenario, String name) {
        return scenario.get(name).phase() == Phase.BOUND;
    }

    private static boolean isGone(Scenario scenario, String name) {
        return scenario.at(name).get() == null
                && scenario.objectBuckets().stream()
                        .noneMatch(bucket -> bucket.getSpec()
                                .recordedIntent()
                                .orElseThrow()
                                .claimName()
                                .equals(name));
    }

    private static boolean isUpToDate(ObjectBucketClaim claim) {
        return claim.getStatus() != null
                && claim.getStatus()
                        .condition("Ready")
                        .filter(ready -> claim.getMetadata().getGeneration().equals(ready.getObservedGeneration()))
                        .isPresent();
    }

    private static Map<String, String> state(Scenario scenario, String name) {
        return scenario.objectBuckets().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .orElseThrow()
                        .claimName()
                        .equals(name))
                .findFirst()
                .map(bucket -> bucket.getSpec().state())
                .orElse(Map.of());
    }
}
