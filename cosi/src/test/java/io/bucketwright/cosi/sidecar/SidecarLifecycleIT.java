package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What happens to objects that are well: restarts, rotations, and what is counted. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class SidecarLifecycleIT {

    @Test
    void aRestartWithEverythingBoundCostsNothingPerObjectAndAsksTheDriverNothing(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            try (ControllerProcess _ = bench.sidecar(user)) {
                for (int i = 0; i < 5; i++) {
                    Bucket bucket = bench.bucket("photos-" + i);
                    BucketAccess access = bench.access("photos-" + i, bucket);
                    bench.awaitGranted(access);
                    bench.bind(bucket, "a:b/c");
                    bench.awaitPhase(bucket, BucketPhase.BOUND);
                }
                bench.awaitSettled();
            }
            RequestCounts before = cluster.requests(user);
            int asked = bench.driver().requests.size();
            bench.sidecar(user);
            bench.driver().stop();
            bench.driver().start();
            bench.awaitSettled();
            RequestCounts restart = cluster.requests(user).since(before);
            assertThat(restart.writes() + restart.reads() + restart.events())
                    .as(restart.toString())
                    .isZero();
            assertThat(bench.driver().requests).hasSize(asked);
        }
    }

    @Test
    void aRotationReachesTheSecretOnceAndOnlyWhenItIsDue(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            BucketAccess access = bench.access("photos", bench.awaitFilled(bench.bucket("photos")));
            bench.awaitGranted(access);
            String old = bench.keyOf(access);
            rotate(bench, access, "2999-01-01T00:00:00Z");
            bench.awaitSettled();
            assertThat(bench.keyOf(access)).isEqualTo(old);
            rotate(bench, access, "2020-01-01T00:00:00Z");
            SidecarBench.await("new keys").until(() -> !bench.keyOf(access).equals(old));
            bench.awaitSettled();
            assertThat(bench.driver().accounts).containsValue(bench.keyOf(access));
            assertThat(Metadata.annotation(bench.awaitGranted(access), CosiNames.ROTATED_AT))
                    .isEqualTo("2020-01-01T00:00:00Z");
            List<GrantBucketAccessRequest> grants = bench.driver().asked(GrantBucketAccessRequest.class);
            assertThat(grants).hasSize(2);
            assertThat(grants.getLast().getPermissionsMap()).containsEntry("cosi.io/rotate-at", "2020-01-01T00:00:00Z");
            assertThat(bench.reasons(access)).contains("AccessRotated");
        }
    }

    @Test
    void ofTwoSidecarsWithALeaseOneWorksAndTheOtherTakesOver(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        LeaseTiming quick = new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));
        try (SidecarBench bench = new SidecarBench(cluster)) {
            List<ControllerProcess> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                both.add(bench.sidecar(user, builder -> builder.lease(cluster.namespace(), "cosi-sidecar", quick)));
            }
            bench.awaitFilled(bench.bucket("first"));
            both.getFirst().close();
            bench.awaitFilled(bench.bucket("second"));
            assertThat(bench.driver().requests).hasSize(2);
        }
    }

    @Test
    void callsAreCountedByDriverMethodAndCode(TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            ControllerProcess sidecar = bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(bench.bucket("photos"));
            bench.driver().buckets.clear();
            bench.delete(bucket);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(metrics(sidecar))
                    .contains("cosi_sidecar_operation_duration_seconds_count{driver_name=\"driver.test\","
                            + "grpc_status_code=\"OK\",method_name=\"CreateBucket\"} 1")
                    .contains("cosi_sidecar_operation_duration_seconds_count{driver_name=\"driver.test\","
                            + "grpc_status_code=\"NOT_FOUND\",method_name=\"DeleteBucket\"} 1")
                    .contains("cosi_sidecar_operation_errors_total{driver_name=\"driver.test\","
                            + "method_name=\"DeleteBucket\"} 1.0");
        }
    }

    private static String metrics(ControllerProcess sidecar) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + sidecar.port() + "/metrics");
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private static void rotate(SidecarBench bench, BucketAccess access, String at) {
        bench.admin().resource(bench.require(access)).edit(it -> {
            it.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, at));
            return it;
        });
    }
}
