package io.bucketwright.cosi.controller.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.function.Supplier;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The controller crashes at each of its writes; the next process finishes, and the sidecar is the test. */
@OnCluster
@ResourceLock("BucketClaims of all namespaces")
class BucketClaimCrashIT {

    /** Finalizer, status, Bucket. */
    private static final int WRITES = 3;

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteTheNextProcessFinishesWithOneBucketAndDeletesIt(Moment moment, TestCluster cluster) {
        ApiUser user = cluster.user("claims");
        try (ClaimBench bench = new ClaimBench(cluster)) {
            String bucketClass = bench.bucketClass("Delete");
            for (int write = 1; write <= WRITES; write++) {
                String name = "photos-" + write;
                BucketClaim claim = crash(bench, user, moment, write, () -> bench.claim(name, bucketClass, ""));
                try (ControllerProcess _ = bench.controller(user)) {
                    bench.provision(claim);
                    bench.awaitReady(name);
                    assertThat(buckets(bench, bucketClass)).isEqualTo(1);
                }
                // The only write of a deletion is that of the Bucket.
                crash(bench, user, moment, 1, () -> {
                    bench.delete(claim);
                    return claim;
                });
                try (ControllerProcess _ = bench.controller(user)) {
                    bench.deprovision(claim);
                    bench.awaitDeleted(name);
                    assertThat(buckets(bench, bucketClass)).isZero();
                }
            }
        }
    }

    /** Runs a process that crashes at that write after the flow began. */
    private static BucketClaim crash(
            ClaimBench bench, ApiUser user, Moment moment, int write, Supplier<BucketClaim> flow) {
        CrashingClient crash = CrashingClient.atWrite(write, moment);
        ControllerProcess process = bench.controller(user, builder -> builder.http(crash::wrap));
        BucketClaim claim = flow.get();
        Eventually.await("a crash at write " + write).until(crash::died);
        // It cannot send anything, and would wait two seconds for its last events.
        Thread.startVirtualThread(process::close);
        return claim;
    }

    private static long buckets(ClaimBench bench, String bucketClass) {
        return bench.cluster.admin().resources(ReleasedBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.spec().bucketClassName().equals(bucketClass))
                .count();
    }
}
