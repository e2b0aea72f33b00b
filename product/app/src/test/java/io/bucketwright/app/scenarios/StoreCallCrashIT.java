package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.scenarios.StoreCrashes.Life;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.TestCluster;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that crashes at each of its calls to the real store, before and after the effect; the next one finishes. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(StorePool.Provider.class)
@ParameterizedClass
@EnumSource(names = {"S3", "MINIO", "CEPH"})
class StoreCallCrashIT extends ScenarioTestBase {

    private final StoreKind kind;
    private final StorePool stores;

    StoreCallCrashIT(StoreKind kind, StorePool stores) {
        this.kind = kind;
        this.stores = stores;
    }

    @Override
    @BeforeEach
    void open(TestCluster cluster) {
        scenario = Scenario.onStore(cluster, folder, kind, stores);
    }

    @Test
    void afterACrashAtAnyCallOfBindingThereIsOneBucketWithOneUserAndOneKeyThatWorks() throws InterruptedException {
        int provision = 1;
        assertCrashes(
                provision, Map.of(), life -> {}, life -> scenario.claim(life.name(), life.newBucket()), Life::isBound);
        scenario.assertAllWork();
    }

    @Test
    void aClaimDeletedAfterItsProcessCrashedLeavesNothing() throws InterruptedException {
        int provisionAndDelete = 2;
        assertCrashes(
                provisionAndDelete,
                Map.of(),
                life -> {},
                life -> {
                    scenario.claim(life.name(), life.newBucket());
                    Scenario.await("crash or bound").until(() -> life.process().died() || life.isBound());
                    life.delete();
                },
                Life::isDeleted);
        scenario.assertNothingIsLeft();
    }

    @Test
    void afterACrashAtAnyCallOfADeletionNothingIsLeft() throws InterruptedException {
        int delete = 1;
        assertCrashes(delete, Map.of("onNotEmpty", "purge"), Life::bindAndFill, Life::delete, Life::isDeleted);
        scenario.assertNothingIsLeft();
    }

    @Test
    void afterACrashAtAnyCallOfARotationTheKeysAreNewAndThereIsOneOfThem() throws InterruptedException {
        String at = "2020-01-01T00:00:00Z";
        Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
        int findGrantAndRetire = 3;
        assertCrashes(
                findGrantAndRetire,
                Map.of("rotationOverlap", "0s"),
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

    @Test
    void afterACrashAtAnyCallOfAnOptionChangeTheBucketHasTheOption() throws InterruptedException {
        int findAndUpdate = 2;
        assertCrashes(
                findAndUpdate,
                Map.of("allowedOptions", "versioning"),
                Life::bind,
                life -> scenario.setVersioned(life.name()),
                life -> scenario.isUpToDate(life.name()));
        scenario.assertAllWork();
        assertThat(scenario.newBuckets())
                .allSatisfy(bucket ->
                        assertThat(scenario.store().versioningOf(bucket)).isEqualTo("Enabled"));
    }

    /** Erase: erase, revoke, close and release. Retain: revoke, close and release. */
    @ParameterizedTest
    @CsvSource({"Erase, 4, 0", "Retain, 3, 1"})
    void afterACrashAtAnyCallThatErasesOrRetainsTheBucketsAreFreeAndExist(String policy, int calls, int objects)
            throws InterruptedException {
        Map<String, String> uids = new ConcurrentHashMap<>();
        assertCrashes(
                calls,
                Map.of("reclaimPolicy", policy),
                life -> uids.put(life.bindAndFill(), life.uid()),
                Life::delete,
                Life::isDeleted);
        assertReleased(uids, objects);
    }

    @Test
    void afterACrashAtAnyCallOfASuspensionTheDataExistsAndTheKeysAreRevoked() throws InterruptedException {
        Map<String, Map<String, String>> keys = new ConcurrentHashMap<>();
        Map<String, Map<String, String>> config = new ConcurrentHashMap<>();
        int closeAndSuspend = 2;
        assertCrashes(
                closeAndSuspend,
                Map.of("reclaimPolicy", "Suspend"),
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
            assertAndRemove(bucket, 1);
        });
    }

    @Test
    void afterACrashAtAnyCallOfAnAdoptionTheKeysWorkAndTheDataExists() throws InterruptedException {
        Map<String, String> buckets = new ConcurrentHashMap<>();
        int adoptAndGrant = 2;
        assertCrashes(
                adoptAndGrant,
                Map.of("reclaimPolicy", "Retain"),
                life -> buckets.put(life.name(), life.retained()),
                life -> scenario.claim(life.name(), life.adopted(buckets.getOrDefault(life.name(), ""))),
                Life::isBound);
        scenario.assertAllWork();
        buckets.values().forEach(bucket -> assertAndRemove(bucket, 1));
    }

    @Test
    void afterACrashAtAnyCallThatEndsAnAdoptionTheBucketsAreFullFreeAndExist() throws InterruptedException {
        Map<String, String> uids = new ConcurrentHashMap<>();
        int revokeAndRelease = 2;
        assertCrashes(
                revokeAndRelease,
                Map.of("reclaimPolicy", "Retain"),
                life -> {
                    String bucket = life.retained();
                    scenario.bind(life.name(), life.adopted(bucket));
                    uids.put(bucket, life.uid());
                },
                Life::delete,
                Life::isDeleted);
        assertReleased(uids, 1);
    }

    /** Before the effect of a call every store is in the same state: one store is enough for that. */
    private Set<Moment> moments() {
        return kind == StoreKind.S3 ? EnumSet.allOf(Moment.class) : EnumSet.of(Moment.AFTER_EFFECT);
    }

    /** Runs the flow and asserts that it crashed at each of so many calls, at each moment. */
    private void assertCrashes(
            int calls,
            Map<String, String> parameters,
            Consumer<Life> prepare,
            Consumer<Life> change,
            Predicate<Life> isDone)
            throws InterruptedException {
        int crashes = new StoreCrashes(scenario, parameters, moments()).ofFlow(prepare, change, isDone);
        if (kind == StoreKind.S3) {
            assertThat(crashes).isEqualTo(moments().size() * calls);
        } else {
            // A store that is too slow on a busy machine causes one call more.
            assertThat(crashes).isGreaterThanOrEqualTo(moments().size() * calls);
        }
    }

    private void assertReleased(Map<String, String> uids, int objects) {
        assertThat(scenario.newUsers()).isEmpty();
        assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(uids.keySet());
        uids.forEach((bucket, uid) -> {
            assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/released", uid);
            assertAndRemove(bucket, objects);
        });
    }

    /** Asserts the number of objects in the bucket, and deletes both. */
    private void assertAndRemove(String bucket, int objects) {
        assertThat(scenario.store().objects(bucket)).isEqualTo(objects);
        scenario.store().delete(bucket, "data");
    }
}
