package io.bucketwright.cosi.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.local.AddOn;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/coming-from-upstream-cosi.md: controller and sidecar are replaced in place, and put back. */
@OnCluster(with = AddOn.S3, own = true)
class MovingIT {

    @TempDir
    private Path folder;

    @Test
    void objectsOfTheReferenceStayAsTheyAreAndItsBrokenStatesAreRepaired(TestCluster cluster) {
        try (UpstreamFixture bench = new UpstreamFixture(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            ApiUser controllerOfReference = cluster.user("upstream-controller");
            ApiUser sidecarOfReference = cluster.user("upstream-sidecar");
            upstream.startController(controllerOfReference);
            upstream.startSidecar(sidecarOfReference, bench.socket());
            String bucketClass = bench.bucketClass("Delete");
            String accessClass = bench.accessClass();
            List<String> claims = List.of("photos", "reset", "unready", "nameless", "unprotected", "accessed");
            claims.forEach(claim -> bench.claim(claim, bucketClass));
            claims.forEach(claim -> bench.awaitReadyBy(upstream, claim));
            bench.access("viewer", "photos", accessClass);
            bench.access("former", "accessed", accessClass);
            bench.awaitGrantedBy(upstream, "viewer", "photos");
            bench.awaitGrantedBy(upstream, "former", "accessed");
            bench.deleteAccess("former");
            upstream.stopController();
            upstream.stopSidecar();
            claims.forEach(claim -> bench.awaitReadyBy(upstream, claim));
            assertThat(Metadata.hasFinalizer(bench.bucketOf("accessed"), ReleasedNames.ACCESSED_BUCKET_FINALIZER))
                    .as("the access finalizer without an access")
                    .isTrue();
            cluster.editStatus(
                    bench.claimed("reset"),
                    claim -> claim.setStatus(
                            new BucketClaimStatus(false, claim.status().bucketName())));
            cluster.editStatus(
                    bench.bucketOf("unready"), bucket -> bucket.setStatus(new ReleasedBucketStatus(false, "")));
            cluster.editStatus(bench.claimed("nameless"), claim -> claim.setStatus(new BucketClaimStatus(true, "")));
            cluster.edit(bench.claimed("unprotected"), claim -> claim.removeFinalizer(ReleasedNames.CLAIM_FINALIZER));
            List<String> before = versions(bench);
            ReleasedBucket bucketBefore = bench.bucketOf("photos");

            ControllerProcess controller = bench.startController(cluster.user("controller"));
            ControllerProcess sidecar = bench.startSidecar(cluster.user("sidecar"));
            claims.forEach(bench::awaitReady);
            Eventually.await("the finalizer of the claim")
                    .until(() -> Metadata.hasFinalizer(bench.claimed("unprotected"), ReleasedNames.CLAIM_FINALIZER));
            bench.claim("new", bucketClass);
            bench.access("new", "new", accessClass);
            bench.awaitReady("new");
            bench.awaitGranted("new");
            bench.useBucket("new", "by ours");
            bench.useBucket("viewer", "with the keys of the reference");
            BucketClaim accessed = bench.claimed("accessed");
            ReleasedBucket bucket = bench.bucketOf("accessed");
            bench.delete(accessed);
            bench.awaitDeleted(accessed);
            bench.awaitDeleted(bucket);
            assertThat(bench.inStore(bucket.getMetadata().getName())).isEmpty();
            assertThat(versions(bench)).as("nothing was written").isEqualTo(before);
            ReleasedBucket recorded = bench.bucketOf("photos");
            assertThat(Metadata.annotation(recorded, ReleasedNames.GRANTS))
                    .as("the account of the reference is in the ledger")
                    .contains(bench.accessed("viewer").status().accountID());
            assertThat(recorded.getSpec()).isEqualTo(bucketBefore.getSpec());
            assertThat(recorded.getStatus()).isEqualTo(bucketBefore.getStatus());

            controller.close();
            sidecar.close();
            upstream.startController(controllerOfReference);
            upstream.startSidecar(sidecarOfReference, bench.socket());
            bench.claim("back", bucketClass);
            bench.awaitReadyBy(upstream, "back");
            bench.useBucket("new", "after the way back");
            bench.useBucket("viewer", "after the way back");
            assertThat(versions(bench)).as("nothing was written").isEqualTo(before);
            assertThat(bench.bucketOf("photos").getMetadata().getResourceVersion())
                    .isEqualTo(recorded.getMetadata().getResourceVersion());
            bench.deleteBoth("photos", "viewer");
            bench.deleteBoth("new", "new");
            List<BucketClaim> others = Stream.of("reset", "unready", "nameless", "unprotected", "back")
                    .map(bench::claimed)
                    .toList();
            others.forEach(bench::delete);
            others.forEach(bench::awaitDeleted);
            Eventually.await("the deletion of all buckets")
                    .untilAsserted(() -> assertThat(bench.inStore("bucket-"))
                            .as(upstream::log)
                            .isEmpty());
        }
    }

    /** Of the objects that the reference has left healthy, but the Bucket, which gets the ledger. */
    private static List<String> versions(UpstreamFixture bench) {
        return Stream.<HasMetadata>of(bench.claimed("photos"), bench.accessed("viewer"), bench.secret("viewer"))
                .map(object -> object.getMetadata().getResourceVersion())
                .toList();
    }
}
