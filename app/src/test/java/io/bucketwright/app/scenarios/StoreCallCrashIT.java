package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.scenarios.StoreCrashes.Life;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            int provision = 1;
            assertCrashes(
                    provision,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of(), Map.of()),
                    life -> {},
                    life -> scenario.claim(life.name(), life.newBucket()),
                    Life::isBound);
            scenario.assertAllWork();
        }
    }

    @Test
    void aClaimDeletedAfterItsProcessCrashedLeavesNothing(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            int provisionAndDelete = 2;
            assertCrashes(
                    provisionAndDelete,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of(), Map.of()),
                    life -> {},
                    life -> {
                        scenario.claim(life.name(), life.newBucket());
                        Scenario.await("crash or bound")
                                .until(() -> life.process().died() || life.isBound());
                        life.delete();
                    },
                    Life::isDeleted);
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void afterACrashAtAnyCallOfADeletionNothingIsLeft(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            int delete = 1;
            assertCrashes(
                    delete,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("onNotEmpty", "purge"), Map.of()),
                    Life::bindAndFill,
                    Life::delete,
                    Life::isDeleted);
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void afterACrashAtAnyCallOfARotationTheKeysAreNewAndThereIsOneOfThem(TestCluster cluster)
            throws InterruptedException {
        String at = "2020-01-01T00:00:00Z";
        Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            int grantAndRetire = 2;
            assertCrashes(
                    grantAndRetire,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("rotationOverlap", "0s"), Map.of()),
                    life -> {
                        life.bind();
                        old.put(life.name(), scenario.keys(life.name()));
                    },
                    life -> scenario.rotate(life.name(), at),
                    life -> life.isBound() && scenario.isRotated(life.name(), at));
            scenario.assertAllWork();
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
            int update = 1;
            assertCrashes(
                    update,
                    new StoreCrashes(
                            scenario, cluster.user("buckets"), Map.of("allowedOptions", "versioning"), Map.of()),
                    Life::bind,
                    life -> scenario.setVersioned(life.name()),
                    life -> scenario.isUpToDate(life.name()));
            scenario.assertAllWork();
            assertThat(scenario.newBuckets())
                    .allSatisfy(bucket ->
                            assertThat(scenario.store().versioningOf(bucket)).isEqualTo("Enabled"));
        }
    }

    /** Erase: erase, revoke and release. Retain: revoke and release. */
    @ParameterizedTest
    @CsvSource({"Erase, 3, 0", "Retain, 2, 1"})
    void afterACrashAtAnyCallThatErasesOrRetainsTheBucketsAreFreeAndExist(
            String policy, int calls, int objects, TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, String> uids = new ConcurrentHashMap<>();
            assertCrashes(
                    calls,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("reclaimPolicy", policy), Map.of()),
                    life -> uids.put(life.bindAndFill(), life.uid()),
                    Life::delete,
                    Life::isDeleted);
            assertReleased(scenario, uids, objects);
        }
    }

    @Test
    void afterACrashAtAnyCallOfASuspensionTheDataExistsAndTheKeysAreRevoked(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, Map<String, String>> keys = new ConcurrentHashMap<>();
            Map<String, Map<String, String>> config = new ConcurrentHashMap<>();
            int suspend = 1;
            assertCrashes(
                    suspend,
                    new StoreCrashes(scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Suspend"), Map.of()),
                    life -> {
                        String bucket = life.bindAndFill();
                        keys.put(bucket, scenario.keys(life.name()));
                        config.put(bucket, scenario.config(life.name()));
                    },
                    Life::delete,
                    Life::isDeleted);
            assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(keys.keySet());
            assertThat(scenario.newUsers()).hasSameSizeAs(keys.keySet());
            keys.forEach((bucket, issued) -> {
                assertThat(StoreView.works(config.getOrDefault(bucket, Map.of()), issued))
                        .isFalse();
                assertAndRemove(scenario, bucket, 1);
            });
        }
    }

    @Test
    void afterACrashAtAnyCallOfAnAdoptionTheKeysWorkAndTheDataExists(TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, String> buckets = new ConcurrentHashMap<>();
            int adoptAndGrant = 2;
            assertCrashes(
                    adoptAndGrant,
                    adopting(scenario, cluster),
                    life -> buckets.put(life.name(), life.retained()),
                    life -> scenario.claim(life.name(), life.adopted(buckets.getOrDefault(life.name(), ""))),
                    Life::isBound);
            scenario.assertAllWork();
            buckets.values().forEach(bucket -> assertAndRemove(scenario, bucket, 1));
        }
    }

    @Test
    void afterACrashAtAnyCallThatEndsAnAdoptionTheBucketsAreFullFreeAndExist(TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, String> uids = new ConcurrentHashMap<>();
            int revokeAndRelease = 2;
            assertCrashes(
                    revokeAndRelease,
                    adopting(scenario, cluster),
                    life -> {
                        String bucket = life.retained();
                        scenario.claim(life.name(), life.adopted(bucket));
                        scenario.awaitBound(life.name());
                        uids.put(bucket, life.uid());
                    },
                    Life::delete,
                    Life::isDeleted);
            assertReleased(scenario, uids, 1);
        }
    }

    private static StoreCrashes adopting(Scenario scenario, TestCluster cluster) {
        return new StoreCrashes(
                scenario, cluster.user("buckets"), Map.of("reclaimPolicy", "Retain"), Map.of("adopt", "photos-*"));
    }

    /** Runs the flow and asserts that it crashed before and after each of so many calls. */
    private static void assertCrashes(
            int calls, StoreCrashes crashes, Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone)
            throws InterruptedException {
        assertThat(crashes.ofFlow(prepare, change, isDone)).isEqualTo(MOMENTS * calls);
    }

    private static void assertReleased(Scenario scenario, Map<String, String> uids, int objects) {
        assertThat(scenario.newUsers()).isEmpty();
        assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(uids.keySet());
        uids.forEach((bucket, uid) -> {
            assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/released", uid);
            assertAndRemove(scenario, bucket, objects);
        });
    }

    /** Asserts the number of objects in the bucket, and deletes both. */
    private static void assertAndRemove(Scenario scenario, String bucket, int objects) {
        assertThat(scenario.store().objects(bucket)).isEqualTo(objects);
        scenario.store().administrator().deleteObject(it -> it.bucket(bucket).key("data"));
        scenario.store().administrator().deleteBucket(it -> it.bucket(bucket));
    }
}
