package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.S3Store;
import io.bucketwright.cosi.sidecar.SidecarBench;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The two requests of a user through controller, sidecar and driver to a real store, and back. */
@OnCluster(with = AddOn.S3)
@ResourceLock("COSI objects of all namespaces")
class WholeFlowIT {

    @TempDir
    private Path folder;

    @Test
    void aUsersRequestsBecomeABucketInTwelveWritesAndNoReadAndNothingIsLeftAfterwards(TestCluster cluster)
            throws InterruptedException {
        ApiUser central = cluster.user("cosi");
        ApiUser beside = SidecarBench.deployed(cluster, "sidecar");
        try (Flow flow = new Flow(cluster, folder)) {
            String bucketClass = flow.bucketClass();
            String accessClass = flow.accessClass();
            flow.controller(central);
            flow.sidecar(beside);
            flow.awaitSettled();
            RequestCounts controllerBefore = cluster.requests(central);
            RequestCounts sidecarBefore = cluster.requests(beside);
            flow.bind("photos", "photos", bucketClass, accessClass);
            Eventually.await("the Bucket to be Bound")
                    .until(() -> flow.buckets().getFirst().phase() == BucketPhase.BOUND);
            flow.awaitSettled();
            RequestCounts ofController = cluster.requests(central).since(controllerBefore);
            RequestCounts ofSidecar = cluster.requests(beside).since(sidecarBefore);
            assertThat(ofController.writes() + ofSidecar.writes())
                    .as("controller %s, sidecar %s", ofController, ofSidecar)
                    .isLessThanOrEqualTo(14)
                    .isEqualTo(12);
            assertThat(ofController.reads() + ofSidecar.reads()).isZero();

            Map<String, String> credentials = flow.credentials("photos");
            String bucket = credentials.getOrDefault("BUCKET_NAME", "");
            Bucket object = flow.buckets().getFirst();
            assertThat(object.getSpec().protocol().bucketName()).isEqualTo(bucket);
            try (S3Client application = S3Store.application(credentials)) {
                application.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
                assertThat(application
                                .getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                                .asUtf8String())
                        .isEqualTo("world");
            }

            rotates(flow, credentials, bucket);

            flow.deleteBoth("photos", "photos");
            Eventually.await("the deletion of everything")
                    .until(() -> flow.buckets().isEmpty()
                            && flow.accesses().isEmpty()
                            && flow.provisionerSecrets().isEmpty()
                            && flow.credentials("photos").isEmpty());
            try (S3Client administrator = flow.administrator()) {
                assertThat(administrator.listBuckets().buckets())
                        .noneMatch(it -> it.name().equals(bucket));
            }
            RequestCounts later = cluster.requests(beside);
            assertThat(later.reads()).as(later.toString()).isZero();
        }
    }

    private static void rotates(Flow flow, Map<String, String> old, String bucket) {
        flow.edit(
                flow.accessRequest("photos"),
                request -> request.getMetadata()
                        .setAnnotations(Map.of(
                                CosiNames.ROTATE_AT,
                                Instant.now().minusSeconds(1).toString())));
        Eventually.await("new keys")
                .until(() -> !flow.credentials("photos")
                        .getOrDefault("AWS_ACCESS_KEY_ID", "")
                        .equals(old.getOrDefault("AWS_ACCESS_KEY_ID", "")));
        try (S3Client application = S3Store.application(flow.credentials("photos"));
                S3Client former = S3Store.application(old)) {
            assertThat(application
                            .getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .isEqualTo("world");
            assertThat(former.getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .as("the former keys are valid during the overlap")
                    .isEqualTo("world");
        }
    }
}
