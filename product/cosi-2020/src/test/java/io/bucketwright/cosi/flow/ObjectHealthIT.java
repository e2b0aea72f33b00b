package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.cosi.sidecar.released.ReleasedFixture;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.KStatus;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What {@code kubectl wait} and kstatus see of COSI objects that controller and sidecar serve, as docs/gitops.md says. */
@OnCluster(with = AddOn.S3, named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@ResourceLock(value = "BucketClaims of all namespaces", mode = ResourceAccessMode.READ)
class ObjectHealthIT {

    private static final String AUDIT = "example.com/audit";

    @TempDir
    private Path folder;

    @Test
    void ofTheKindsOfCosiIo(TestCluster cluster) {
        try (Flow flow = new Flow(cluster, folder)) {
            flow.newBucket("photos", cluster.namespace() + "-class");
            flow.access("photos", "photos", cluster.namespace() + "-access");
            flow.createAccess(
                    flow.namespace(),
                    "bad",
                    "bucketRequestName",
                    "photos",
                    "bucketAccessName",
                    "other",
                    "bucketAccessClassName",
                    "none");
            assertThat(health(flow.request("photos"))).as("no controller yet").isEqualTo(KStatus.IN_PROGRESS);
            assertThat(health(flow.accessRequest("photos")))
                    .as("no controller yet")
                    .isEqualTo(KStatus.IN_PROGRESS);

            flow.controller(cluster.user("cosi"));
            flow.sidecar(SidecarFixture.deployed(cluster, "sidecar"));
            flow.await("photos", BucketRequestPhase.BUCKET_CLASS_NOT_FOUND);
            assertThat(health(flow.request("photos")))
                    .as("its class may follow")
                    .isEqualTo(KStatus.IN_PROGRESS);
            flow.await("bad", BucketAccessRequestPhase.INVALID_REQUEST);
            assertThat(health(flow.accessRequest("bad"))).isEqualTo(KStatus.FAILED);
            awaits(cluster, flow, "condition=Stalled", "bucketaccessrequest/bad");
            flow.deleteAccess("bad");

            flow.bucketClass();
            flow.accessClass();
            awaits(cluster, flow, "condition=Ready", "bucketaccessrequest/photos");
            awaits(cluster, flow, "condition=Ready", "bucketrequest/photos");
            awaits(
                    cluster,
                    flow,
                    "condition=Ready",
                    "bucketaccess.cosi.io/"
                            + flow.accessOf("photos").getMetadata().getName());
            awaits(
                    cluster,
                    flow,
                    "condition=Ready",
                    "bucket.cosi.io/" + flow.bucketOf("photos").getMetadata().getName());
            assertThat(List.of(
                            CosiFixture.existing(flow.request("photos")),
                            CosiFixture.existing(flow.accessRequest("photos")),
                            flow.accessOf("photos"),
                            flow.bucketOf("photos")))
                    .allSatisfy(object -> assertThat(KStatus.of(object)).isEqualTo(KStatus.CURRENT));

            flow.edit(flow.bucketOf("photos"), it -> it.setSpec(Specs.with(it.getSpec(), "releasePolicy", "Retain")));
            for (HasMetadata kept : List.of(
                    CosiFixture.existing(flow.request("photos")), CosiFixture.existing(flow.accessRequest("photos")))) {
                cluster.edit(kept, it -> it.getMetadata().getFinalizers().add(AUDIT));
                cluster.admin().resource(kept).delete();
                assertThat(KStatus.of(cluster.admin().resource(kept).require())).isEqualTo(KStatus.TERMINATING);
                cluster.edit(kept, it -> it.getMetadata().getFinalizers().remove(AUDIT));
            }
            Eventually.await("the release of the Bucket")
                    .until(() -> flow.buckets().getFirst().phase() == BucketPhase.RELEASED);
            Bucket released = flow.buckets().getFirst();
            assertThat(KStatus.of(released)).as("a retained Bucket").isEqualTo(KStatus.CURRENT);
        }
    }

    @Test
    void ofTheReleasedKindsWhichHaveNoConditions(TestCluster cluster) {
        String driver = "driver." + cluster.namespace();
        try (VendorDriver vendor = new VendorDriver(driver);
                ReleasedFixture bench =
                        new ReleasedFixture(cluster, ReleasedFixture.vendorUser(cluster, "sidecar"), driver)) {
            bench.accessClass("readers", driver, Map.of());
            BucketClaim claim = bench.claim("photos");
            ReleasedBucketAccess access = bench.access("viewer", "photos", "readers");
            List<HasMetadata> objects = List.of(claim, access, bench.bucketOf(claim));
            assertThat(objects)
                    .as("kstatus finds neither conditions nor observedGeneration")
                    .allSatisfy(object ->
                            assertThat(KStatus.of(bench.require(object))).isEqualTo(KStatus.CURRENT));
            assertThat(cluster.kubectl(
                            "wait", "--for=jsonpath={.status.bucketReady}=true", "bucketclaim/photos", "--timeout=1s"))
                    .contains("timed out");

            bench.sidecar(vendor.endpoint());
            for (String wait : List.of(
                    "bucketReady bucketclaim/photos",
                    "accessGranted bucketaccess.objectstorage.k8s.io/viewer",
                    "bucketReady bucket.objectstorage.k8s.io/" + ReleasedFixture.bucketName(claim))) {
                String[] parts = wait.split(" ", -1);
                assertThat(cluster.kubectl(
                                "wait", "--for=jsonpath={.status." + parts[0] + "}=true", parts[1], "--timeout=60s"))
                        .as(wait)
                        .contains("condition met");
            }
            assertThat(KStatus.of(bench.require(claim))).isEqualTo(KStatus.CURRENT);

            cluster.edit(access, it -> it.getMetadata().getFinalizers().add(AUDIT));
            bench.delete(access);
            assertThat(KStatus.of(bench.require(access))).isEqualTo(KStatus.TERMINATING);
            cluster.edit(access, it -> it.getMetadata().getFinalizers().remove(AUDIT));
            bench.awaitDeleted(access);
            ReleasedBucket bucket = bench.bucketOf(claim);
            bench.deleteClaim(claim);
            bench.awaitDeleted(bucket);
        }
    }

    private static KStatus health(@Nullable HasMetadata object) {
        return KStatus.of(CosiFixture.existing(object));
    }

    private static void awaits(TestCluster cluster, Flow flow, String condition, String object) {
        assertThat(cluster.kubectl(
                        "--namespace=" + flow.namespace(), "wait", "--for=" + condition, object, "--timeout=90s"))
                .as(object)
                .contains("condition met");
    }
}
