package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.CrashFlows.Flow;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that crashes at each of its writes; the next one finds everything it needs in the cluster and the store. */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
@Order(4)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfBindingTheNextProcessBindsAndNothingIsCreatedTwice(Moment moment, TestCluster cluster)
            throws Exception {
        int crashes = new CrashFlows(cluster, moment, Crds.objectBuckets()).ofBinding();
        // Seven writes and one event.
        assertThat(crashes).isBetween(7, 8);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfDeletionTheNextProcessFinishesAndNothingIsLeft(Moment moment, TestCluster cluster)
            throws Exception {
        int crashes = new CrashFlows(cluster, moment, Crds.objectBuckets()).ofDeletion();
        assertThat(crashes).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfARotationWithNewOptionsTheKeysWorkAndTheOptionsAreSet(
            Moment moment, TestCluster cluster) throws Exception {
        Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
        int crashes = new CrashFlows(cluster, moment, Crds.objectBuckets())
                .run(new Flow(
                        Map.of("rotationOverlap", "0s"),
                        false,
                        (bench, claim) -> {
                            old.put(claim, bench.keys(claim));
                            cluster.edit(bench.get(claim), CrashIT::requestRotationAndOptions);
                        },
                        CrashIT::isChanged,
                        (bench, claim) -> {
                            Eventually.await("new keys and options").until(() -> isChanged(bench, claim));
                            bench.awaitSettled();
                            assertThat(bench.keys(claim)).isNotEqualTo(old.get(claim));
                            assertThat(bench.opens(claim)).isTrue();
                            assertThat(bench.store.keys()).isEqualTo(1);
                            assertThat(bench.store.names()).hasSize(1);
                            bench.remove(claim);
                            assertThat(bench.store.principals()).isZero();
                        }));
        // Secret, ObjectBucket (digest), ObjectBucket (key deleted), ObjectBucket (options), claim status, event.
        assertThat(crashes).isBetween(5, 6);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnErasureTheBucketIsEmptyAndReleased(Moment moment, TestCluster cluster)
            throws Exception {
        int crashes = new CrashFlows(cluster, moment, Crds.objectBuckets())
                .run(new Flow(
                        Map.of("reclaimPolicy", "Erase"),
                        false,
                        (bench, claim) -> {
                            bench.store.names().forEach(bucket -> bench.store.fill(bucket, 25));
                            bench.delete(claim);
                        },
                        CrashFlows::isDeleted,
                        (bench, claim) -> {
                            bench.awaitDeleted(claim);
                            assertThat(bench.store.names()).singleElement().satisfies(bucket -> {
                                assertThat(bench.store.objects(bucket)).isZero();
                                assertThat(bench.store.tag(bucket)).startsWith("released:");
                            });
                            assertThat(bench.store.principals()).isZero();
                        }));
        // As a deletion, and because objects are left after two calls, with another number each: claim status, event.
        assertThat(crashes).isBetween(11, 12);
    }

    private static void requestRotationAndOptions(ObjectBucketClaim claim) {
        claim.getMetadata().getAnnotations().put("bucketwright.io/rotate-at", "2020-01-01T00:00:00Z");
        claim.setSpec(claim.getSpec().toBuilder()
                .additionalConfig(Map.of("maxObjects", "7"))
                .build());
    }

    private static boolean isChanged(BucketFixture bench, String claim) {
        return bench.store.keys() == 1
                && !new RecordedBucket(bench.bucketOf(claim))
                        .grants()
                        .rotatedFor()
                        .isEmpty()
                && new RecordedBucket(bench.bucketOf(claim)).grants().ending().isEmpty()
                && bench.reason(claim).equals("Bound")
                && bench.isCurrent(claim);
    }
}
