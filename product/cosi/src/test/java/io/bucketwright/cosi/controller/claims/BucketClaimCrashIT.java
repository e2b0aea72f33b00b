package io.bucketwright.cosi.controller.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The controller crashes at each of its writes; the next process finishes, and the sidecar is the test. */
@OnCluster(named = "controllers")
@ResourceLock("BucketClaims of all namespaces")
class BucketClaimCrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteTheNextProcessFinishesWithOneBucketAndDeletesIt(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = cluster.user("claims");
        AtomicInteger binding = new AtomicInteger();
        AtomicInteger deletion = new AtomicInteger();
        try (ClaimFixture bench = new ClaimFixture(cluster)) {
            String bucketClass = bench.bucketClass("Delete");
            CrashLoop.untilNothingFiresInOrder(write -> {
                BucketClaimRun run = new BucketClaimRun(bench, user, "photos-" + write, bucketClass);
                boolean bindingCrashed = run.bind(CrashingClient.atWriteExceptEvents(write, moment));
                assertThat(buckets(bench, bucketClass)).isEqualTo(1);
                boolean deletionCrashed = run.delete(CrashingClient.atWriteExceptEvents(write, moment));
                assertThat(buckets(bench, bucketClass)).isZero();
                binding.addAndGet(bindingCrashed ? 1 : 0);
                deletion.addAndGet(deletionCrashed ? 1 : 0);
                return bindingCrashed || deletionCrashed;
            });
        }
        // Finalizer, status, Bucket.
        assertThat(binding).hasValue(3);
        // The Bucket.
        assertThat(deletion).hasValue(1);
    }

    /** One claim: a process crashes while it is bound or deleted, and the next one finishes. */
    private record BucketClaimRun(ClaimFixture bench, ApiUser user, String name, String bucketClass) {

        /** Returns whether the process crashed. */
        boolean bind(CrashingClient crash) {
            ControllerProcess process = bench.controller(user, builder -> ClientOptions.http(builder, crash::wrap));
            BucketClaim claim = bench.claim(name, bucketClass, "");
            awaitCrashOr(crash, () -> bench.findBucket(bucketOf(claim)) != null);
            if (!crash.died()) {
                bench.provision(claim);
                // The last thing that a process does for a claim.
                awaitCrashOr(
                        crash,
                        () -> !bench.cluster.events(name, ReleasedReason.BOUND).isEmpty());
            }
            return crashed(process, crash, () -> {
                bench.provision(claim);
                bench.awaitReady(name);
            });
        }

        /** Returns whether the process crashed. */
        boolean delete(CrashingClient crash) {
            ControllerProcess process = bench.controller(user, builder -> ClientOptions.http(builder, crash::wrap));
            BucketClaim claim = bench.get(name);
            String bucket = bucketOf(claim);
            bench.delete(claim);
            awaitCrashOr(crash, () -> bench.isBeingDeleted(bucket));
            if (!crash.died()) {
                bench.deprovision(claim);
                awaitCrashOr(crash, () -> bench.find(name) == null);
            }
            return crashed(process, crash, () -> {
                if (bench.findBucket(bucket) != null) {
                    bench.deprovision(claim);
                }
                bench.awaitDeleted(name);
            });
        }

        private boolean crashed(ControllerProcess process, CrashingClient crash, Runnable rest) {
            if (!crash.died()) {
                process.close();
                return false;
            }
            // It cannot send anything, and would wait two seconds for its last events.
            Thread.startVirtualThread(process::close);
            try (ControllerProcess _ = bench.controller(user)) {
                rest.run();
            }
            return true;
        }

        private void awaitCrashOr(CrashingClient crash, BooleanSupplier reached) {
            Eventually.await("a crash of the process for " + name + ", or the end of its writes")
                    .until(() -> crash.died() || reached.getAsBoolean());
        }

        private static String bucketOf(BucketClaim claim) {
            return ReleasedNames.bucketOf(claim.getMetadata().getUid());
        }
    }

    private static long buckets(ClaimFixture bench, String bucketClass) {
        return bench.cluster.admin().resources(ReleasedBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.spec().bucketClassName().equals(bucketClass))
                .count();
    }
}
