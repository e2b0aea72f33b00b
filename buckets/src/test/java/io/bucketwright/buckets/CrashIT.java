package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that dies at each of its writes; the next one finds everything it needs in the cluster and the store. */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfBindingTheNextProcessBindsAndNothingIsMadeTwice(Moment moment, TestCluster cluster)
            throws Exception {
        int deaths = new CrashFlows(cluster, moment, Crds.all()).ofBinding();
        // Seven writes and one event.
        assertThat(deaths).isBetween(7, 8);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfDeletionTheNextProcessFinishesAndNothingIsLeft(Moment moment, TestCluster cluster)
            throws Exception {
        int deaths = new CrashFlows(cluster, moment, Crds.all()).ofDeletion();
        assertThat(deaths).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfARotationWithNewOptionsTheKeysWorkAndTheOptionsAreSet(
            Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("buckets");
        int deaths = CrashLoop.untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + write;
            try (Bench bench = new Bench(cluster, "-" + write)) {
                String storageClass = bench.storageClass("c" + write, Map.of("rotationOverlap", "0s"));
                bench.newBucket(claim, storageClass);
                try (ControllerProcess _ = bench.provisioner(user, store)) {
                    bench.awaitBound(claim);
                }
                Map<String, String> old = bench.keys(claim);
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.provisioner(user, store, builder -> builder.http(mortality::wrap));
                bench.admin().resource(bench.get(claim)).edit(it -> {
                    it.getMetadata().getAnnotations().put("bucketwright.io/rotate-at", "2020-01-01T00:00:00Z");
                    it.setSpec(it.getSpec().toBuilder()
                            .additionalConfig(Map.of("maxObjects", "7"))
                            .build());
                    return it;
                });
                Bench.await("death at write " + write + " or all done")
                        .until(() -> mortality.died() || isChanged(bench, store, claim));
                mortal.close();
                bench.provisioner(user, store);
                Bench.await("all done").until(() -> isChanged(bench, store, claim));
                bench.awaitSettled();
                assertThat(bench.keys(claim)).isNotEqualTo(old);
                assertThat(bench.opens(store, claim)).isTrue();
                assertThat(store.keys()).isEqualTo(1);
                assertThat(store.names()).hasSize(1);
                bench.delete(claim);
                bench.awaitGone(claim);
                assertThat(store.principals()).isZero();
                return mortality.died();
            }
        });
        // Secret, ObjectBucket (digest), ObjectBucket (key retired), ObjectBucket (options), claim status, event.
        assertThat(deaths).isBetween(5, 6);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfAnErasureTheBucketIsEmptyFreeAndThere(Moment moment, TestCluster cluster)
            throws Exception {
        ApiUser user = cluster.user("buckets");
        int deaths = CrashLoop.untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + write;
            try (Bench bench = new Bench(cluster, "-" + write)) {
                String storageClass = bench.storageClass("c" + write, Map.of("reclaimPolicy", "Erase"));
                bench.newBucket(claim, storageClass);
                String bucket;
                try (ControllerProcess _ = bench.provisioner(user, store)) {
                    bucket = bench.awaitBound(claim).getSpec().bucket().orElseThrow();
                }
                store.fill(bucket, 25);
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.provisioner(user, store, builder -> builder.http(mortality::wrap));
                bench.delete(claim);
                Bench.await("death at write " + write + " or gone")
                        .until(() -> mortality.died() || bench.get(claim) == null);
                mortal.close();
                bench.provisioner(user, store);
                bench.awaitGone(claim);
                assertThat(store.objects(bucket)).isZero();
                assertThat(store.mark(bucket)).startsWith("released:");
                assertThat(store.principals()).isZero();
                return mortality.died();
            }
        });
        assertThat(deaths).isEqualTo(8);
    }

    private static boolean isChanged(Bench bench, MemoryStore store, String claim) {
        return store.keys() == 1
                && bench.bucketOf(claim).getSpec().state().containsKey("bucketwright.io/rotated-for")
                && !bench.bucketOf(claim).getSpec().state().containsKey("bucketwright.io/previous-key")
                && bench.reason(claim).equals("Bound")
                && bench.isCurrent(claim);
    }
}
