package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@Order(7)
class BindAndDeleteIT {

    @Test
    void aRequestAndItsAccessAreBoundInNineWritesAndDeletedInNineWithoutARead(TestCluster cluster) {
        ApiUser user = cluster.user("cosi");
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            bench.controller(user);
            bench.awaitSettled();
            RequestCounts before = cluster.requests(user);

            bench.newBucket("photos", bucketClass);
            bench.access("viewer", "photos", accessClass);
            BucketRequest request = bench.awaitBound("photos");
            BucketAccessRequest accessRequest = bench.awaitAccess("viewer");
            Eventually.await("the Bucket to be Bound")
                    .until(() -> bench.bucketOf("photos").phase() == BucketPhase.BOUND);
            Eventually.await("the BucketAccess to be Bound")
                    .until(() -> bench.accessOf("viewer").phase().equals(Optional.of(BucketAccessPhase.BOUND)));
            bench.awaitSettled();

            Bucket bucket = bench.bucketOf("photos");
            BucketAccess access = bench.accessOf("viewer");
            assertThat(bucket.getMetadata().getName()).isEqualTo("bucket-photos-" + bench.namespace());
            assertThat(access.getMetadata().getName()).isEqualTo("bucketaccess-viewer-" + bench.namespace());
            assertThat(request.getMetadata().getFinalizers()).containsExactly("cosi.io/finalizer");
            assertThat(accessRequest.getMetadata().getFinalizers()).containsExactly("cosi.io/finalizer");
            assertThat(request.getMetadata().getLabels())
                    .containsEntry("cosi.io/provisioner", bench.provisioner.label());
            assertThat(bucket.getSpec().bindings())
                    .containsExactly("bucketaccess-viewer-" + bench.namespace() + ":" + bench.namespace() + "/photos");
            assertThat(bucket.getSpec().permittedNamespaces()).containsExactly(bench.permitted(bench.namespace()));
            assertThat(bucket.getSpec().protocol().bucketName())
                    .isEqualTo(request.getMetadata().getUid());
            assertThat(bench.opens("viewer", "viewer")).isTrue();
            RequestCounts binding = cluster.requests(user).since(before).within(bench.namespace());
            assertThat(binding.writes()).as("%s", binding).isEqualTo(9);
            assertThat(binding.reads()).as("%s", binding).isZero();

            RequestCounts settled = cluster.requests(user);
            bench.deleteBoth("photos", "viewer");
            Eventually.await("the deletion of the Secret").until(() -> bench.secret("viewer") == null);
            assertThat(bench.buckets()).isEmpty();
            assertThat(bench.accesses()).isEmpty();
            assertThat(bench.sidecar.calls).containsExactly("create", "grant", "revoke", "delete");
            assertThat(bench.sidecar.buckets).isEmpty();
            assertThat(bench.sidecar.accounts).isEmpty();
            RequestCounts leaving = cluster.requests(user).since(settled).within(bench.namespace());
            assertThat(leaving.writes()).as("%s", leaving).isEqualTo(9);
            assertThat(leaving.reads()).as("%s", leaving).isZero();
        }
    }
}
