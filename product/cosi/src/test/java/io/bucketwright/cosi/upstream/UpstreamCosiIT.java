package io.bucketwright.cosi.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Our driver behind the controller and the sidecar of the reference implementation, and each of our halves with one of these. */
@OnCluster(with = AddOn.S3, own = true)
class UpstreamCosiIT {

    @TempDir
    private Path folder;

    @Test
    void theSidecarOfTheReferenceDrivesOurStores(TestCluster cluster) {
        try (UpstreamFixture bench = new UpstreamFixture(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            upstream.startController(cluster.user("upstream-controller"));
            upstream.startSidecar(cluster.user("upstream-sidecar"), bench.socket());
            bench.claim("photos", bench.bucketClass("Delete"));
            bench.awaitReadyBy(upstream, "photos");
            bench.access("viewer", "photos", bench.accessClass());
            bench.awaitGrantedBy(upstream, "viewer", "photos");

            String bucket = bench.bucketOf("photos").getMetadata().getName();
            String account = ReleasedNames.accountOf(
                    bench.accessed("viewer").getMetadata().getUid());
            assertThat(bench.bucketOf("photos").status().bucketID()).isEqualTo(bucket);
            assertThat(bench.accessed("viewer").status().accountID()).isEqualTo(account);
            JsonNode info = bench.bucketInfo("viewer");
            assertThat(info.path("bucketName").asText()).isEqualTo(bucket);
            bench.useBucket("viewer", "through the reference implementation");

            bench.deleteBoth("photos", "viewer");
            assertThat(bench.inStore(bucket)).isEmpty();
            try (S3Client application = bench.application(info)) {
                assertThatThrownBy(application::listBuckets).isInstanceOf(S3Exception.class);
            }
        }
    }

    @Test
    void ourControllerWorksWithTheSidecarOfTheReference(TestCluster cluster) {
        try (UpstreamFixture bench = new UpstreamFixture(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            bench.startController(cluster.user("controller"));
            upstream.startSidecar(cluster.user("upstream-sidecar"), bench.socket());
            String accessClass = bench.accessClass();
            bench.claim("photos", bench.bucketClass("Delete"));
            bench.claim("archive", bench.bucketClass("Retain"));
            bench.access("viewer", "photos", accessClass);
            bench.access("reader", "archive", accessClass);
            bench.awaitReady("photos");
            bench.awaitReady("archive");
            bench.awaitGranted("viewer");
            bench.awaitGranted("reader");
            bench.useBucket("viewer", "to be deleted");
            bench.useBucket("reader", "to be retained");

            // The claim first: the controller waits for the access, which its user deletes.
            ReleasedBucket bucket = bench.bucketOf("photos");
            BucketClaim claim = bench.claimed("photos");
            bench.delete(claim);
            Eventually.await("the report that the claim is in use")
                    .until(() ->
                            !cluster.events("photos", ReleasedReason.IN_USE).isEmpty());
            assertThat(bench.bucketOf("photos").getMetadata().getDeletionTimestamp())
                    .isNull();
            bench.useBucket("viewer", "still in use");
            bench.deleteAccess("viewer");
            bench.awaitDeleted(claim);
            bench.awaitDeleted(bucket);
            assertThat(bench.inStore(bucket.getMetadata().getName())).isEmpty();

            ReleasedBucket retained = bench.bucketOf("archive");
            BucketClaim released = bench.claimed("archive");
            bench.deleteAccess("reader");
            bench.delete(released);
            bench.awaitDeleted(released);
            assertThat(bench.admin().resource(retained).get()).isNotNull();
            assertThat(bench.inStore(retained.getMetadata().getName()))
                    .containsExactly(retained.getMetadata().getName());
        }
    }

    @Test
    void ourSidecarWorksWithTheControllerOfTheReference(TestCluster cluster) {
        try (UpstreamFixture bench = new UpstreamFixture(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            upstream.startController(cluster.user("upstream-controller"));
            bench.startSidecar(cluster.user("sidecar"));
            bench.claim("photos", bench.bucketClass("Delete"));
            bench.access("viewer", "photos", bench.accessClass());
            bench.awaitReady("photos");
            bench.awaitGranted("viewer");
            bench.useBucket("viewer", "by our sidecar");
            String bucket = bench.bucketOf("photos").getMetadata().getName();
            assertThat(bench.bucketInfo("viewer").path("bucketName").asText()).isEqualTo(bucket);
            // The finalizer, without which the deletion would leave the Bucket.
            bench.awaitReadyBy(upstream, "photos");
            bench.deleteBoth("photos", "viewer");
            assertThat(bench.inStore(bucket)).isEmpty();
        }
    }
}
