package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.Secret;
import org.junit.jupiter.api.Test;

/** A Bucket and a BucketAccess through a real cluster and a driver on a socket, with the rights of the deployed sidecar. */
@OnCluster
class SidecarIT extends SidecarTest {

    @Test
    void aBucketIsMadeGrantedBoundRevokedAndDeletedWithinTheBudget() {
        bench.sidecar();
        RequestCounts before = cluster.requests(user);
        Bucket bucket = bench.createdBucket();
        assertThat(bucket.getSpec().protocol().s3())
                .isEqualTo(new S3Bucket(
                        "http://store.test:9000", bucket.getSpec().protocol().bucketName(), "north", ""));
        assertThat(driver.buckets).containsKey(bucket.getSpec().protocol().bucketName());
        BucketAccess access = bench.access("photos", bucket);
        Secret secret = bench.awaitGranted(access);
        assertThat(secret.getMetadata().getLabels())
                .containsEntry(CosiNames.BUCKET_ACCESS_UID, access.getMetadata().getUid());
        assertThat(secret.getMetadata().getAnnotations())
                .containsEntry(CosiNames.BUCKET_ACCESS_UID, access.getMetadata().getUid());
        assertThat(driver.accounts).containsValue(bench.keyOf(access));
        bench.bind(bucket, "photos:ns/photos");
        bench.awaitPhase(bucket, BucketPhase.BOUND);
        bench.awaitSettled();
        RequestCounts binding = cluster.requests(user).since(before);
        // Bucket's protocol, Secret, Bucket's status.
        assertThat(binding.writes()).as(binding.toString()).isEqualTo(3);
        assertThat(binding.reads()).isZero();
        // The requests have events when they are Bound.
        assertThat(binding.events()).isZero();
        assertThat(driver.asked(CreateBucketRequest.class)).hasSize(1);
        assertThat(driver.asked(GrantBucketAccessRequest.class)).hasSize(1);

        RequestCounts bound = cluster.requests(user);
        bench.revoke(access);
        assertThat(driver.accounts).isEmpty();
        bench.bind(bucket);
        bench.deleteBucket(bucket);
        bench.awaitSettled();
        assertThat(driver.buckets).isEmpty();
        assertThat(driver.asked(DeleteBucketRequest.class)).hasSize(1);
        RequestCounts deletion = cluster.requests(user).since(bound);
        // Secret (delete, finalizer), BucketAccess's finalizer, Bucket's status (Deleting, Deleted).
        assertThat(deletion.writes()).as(deletion.toString()).isEqualTo(5);
        assertThat(deletion.reads()).isZero();
    }
}
