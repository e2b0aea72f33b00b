package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Objects without problems: restarts, rotations, leader election and metrics. */
@OnCluster
class SidecarLifecycleIT extends SidecarTest {

    @Test
    void aRestartWithEverythingBoundCostsNothingPerObjectAndAsksTheDriverNothing() {
        try (ControllerProcess _ = bench.sidecar()) {
            for (int i = 0; i < 5; i++) {
                Bucket bucket = bench.bucket("photos-" + i);
                bench.awaitGranted(bench.access("photos-" + i, bucket));
                bench.bind(bucket, "a:b/c");
                bench.awaitPhase(bucket, BucketPhase.BOUND);
            }
            bench.awaitSettled();
        }
        RequestCounts before = cluster.requests(user);
        int asked = driver.requests.size();
        bench.sidecar();
        driver.restart();
        bench.awaitSettled();
        RequestCounts restart = cluster.requests(user).since(before);
        assertThat(restart.writes() + restart.reads() + restart.events())
                .as(restart.toString())
                .isZero();
        assertThat(driver.requests).hasSize(asked);
    }

    /**
     * What the driver sees when an account is revoked.
     *
     * @param after the time since the driver was last asked to grant
     * @param keys that work until then
     * @param published in the Secret at that moment
     */
    private record Revocation(Duration after, List<String> keys, String published) {}

    @Test
    void aRotationReachesTheSecretOnceAndOnlyWhenItIsDue() {
        bench.sidecar();
        BucketAccess access = bench.access("photos", bench.createdBucket(), Map.of(CosiNames.ROTATION_OVERLAP, "2s"));
        bench.awaitGranted(access);
        String old = bench.keyOf(access);
        bench.annotate(access, CosiNames.ROTATE_AT, "2999-01-01T00:00:00Z");
        bench.awaitSettled();
        assertThat(bench.keyOf(access)).isEqualTo(old);
        AtomicLong granted = new AtomicLong();
        driver.on(GrantBucketAccessRequest.class, _ -> {
            granted.set(System.nanoTime());
            return Optional.empty();
        });
        List<Revocation> revocations = new CopyOnWriteArrayList<>();
        driver.on(RevokeBucketAccessRequest.class, _ -> {
            revocations.add(new Revocation(
                    Duration.ofNanos(System.nanoTime() - granted.get()),
                    List.copyOf(driver.accounts.values()),
                    bench.keyOf(access)));
            return Optional.empty();
        });
        bench.annotate(access, CosiNames.ROTATE_AT, "2020-01-01T00:00:00Z");
        SidecarFixture.await("new keys").until(() -> !bench.keyOf(access).equals(old));
        String current = bench.keyOf(access);
        SidecarFixture.await("the end of the overlap").until(() -> !driver.accounts.containsValue(old));
        // By the driver: on a busy machine the overlap may end before this test has seen its begin.
        assertThat(revocations).first().satisfies(revocation -> {
            assertThat(revocation.after()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
            assertThat(revocation.keys())
                    .as("applications that have not read the new keys yet use the old ones")
                    .containsExactlyInAnyOrder(old, current);
            assertThat(revocation.published()).isEqualTo(current);
        });
        bench.awaitSettled();
        assertThat(driver.accounts.values()).containsExactly(bench.keyOf(access));
        assertThat(Metadata.annotation(bench.awaitGranted(access), CosiNames.ROTATED_AT))
                .isEqualTo("2020-01-01T00:00:00Z");
        List<GrantBucketAccessRequest> grants = driver.asked(GrantBucketAccessRequest.class);
        assertThat(grants).hasSize(2);
        assertThat(grants.getLast().getPermissionsMap()).containsEntry("cosi.io/rotate-at", "2020-01-01T00:00:00Z");
        assertThat(bench.reasons(access)).contains("AccessRotated");
        bench.revoke(access);
        assertThat(driver.accounts).isEmpty();
    }

    @Test
    void ofTwoSidecarsWithALeaseOneWorksAndTheOtherTakesOver() {
        Consumer<CosiSidecar.Builder> lease =
                builder -> builder.lease(cluster.namespace(), "cosi-sidecar", StartedProcesses.SHORT_LEASE);
        ControllerProcess leader = bench.sidecar(user, lease);
        bench.sidecar(user, lease);
        bench.awaitCreated(bench.bucket("first"));
        leader.close();
        bench.awaitCreated(bench.bucket("second"));
        assertThat(driver.requests).hasSize(2);
    }

    @Test
    void callsAreCountedByDriverMethodAndCode() throws Exception {
        ControllerProcess sidecar = bench.sidecar();
        Bucket bucket = bench.createdBucket();
        driver.buckets.clear();
        bench.deleteBucket(bucket);
        assertThat(SidecarFixture.http(sidecar, "/metrics"))
                .contains("cosi_sidecar_operation_duration_seconds_count{driver_name=\"driver.test\","
                        + "grpc_status_code=\"OK\",method_name=\"CreateBucket\"} 1")
                .contains("cosi_sidecar_operation_duration_seconds_count{driver_name=\"driver.test\","
                        + "grpc_status_code=\"NOT_FOUND\",method_name=\"DeleteBucket\"} 1")
                .contains("cosi_sidecar_operation_errors_total{driver_name=\"driver.test\","
                        + "method_name=\"CreateBucket\"} 0.0")
                .contains("cosi_sidecar_operation_errors_total{driver_name=\"driver.test\","
                        + "method_name=\"DeleteBucket\"} 1.0");
    }
}
