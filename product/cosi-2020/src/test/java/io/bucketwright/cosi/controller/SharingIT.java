package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@Order(5)
class SharingIT {

    @Test
    void aBucketIsSharedWithThePermittedNamespaceAndDeletedWithItsLastRequest(TestCluster cluster) {
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            String friends = bench.namespaceNamed(bench.namespace() + "-friends");
            String strangers = bench.namespaceNamed(bench.namespace() + "-strangers");
            String bucketClass = bench.bucketClass(
                    "shared", it -> it.setAdditionalPermittedNamespaces(List.of(bench.permitted(friends))));
            String accessClass = bench.accessClass();
            bench.controller(cluster.user("cosi"));
            bench.bind("photos", "viewer", bucketClass, accessClass);
            String bucket = bench.bucketOf("photos").getMetadata().getName();

            for (String namespace : List.of(friends, strangers)) {
                bench.createRequest(namespace, "theirs", "bucketInstanceName", bucket);
                bench.createAccess(namespace, "theirs", "bucketInstance", bucket, "bucketAccessClassName", accessClass);
            }
            bench.await(friends, "theirs", BucketAccessRequestPhase.BOUND);
            assertThat(bench.await(strangers, "theirs", BucketRequestPhase.NAMESPACE_NOT_PERMITTED))
                    .contains("does not permit this namespace");
            bench.await(strangers, "theirs", BucketAccessRequestPhase.PENDING);
            assertThat(bench.bucketOf("photos").getSpec().bindings()).hasSize(2);
            assertThat(bench.sidecar.accounts).hasSize(2);

            bench.deleteBoth("photos", "viewer");
            bench.awaitSettled();
            assertThat(bench.sidecar.buckets).as("friends share the bucket").hasSize(1);
            Bucket shared = ControllerFixture.existing(bench.bucketNamed(bucket));
            assertThat(shared.getMetadata().getDeletionTimestamp()).isNull();
            assertThat(shared.getSpec().bindings()).hasSize(1);

            bench.admin().namespaces().withName(friends).delete();
            Eventually.await("the deletion of the namespace")
                    .until(() -> bench.admin().namespaces().withName(friends).get() == null);
            Eventually.await("the deletion of the Bucket").until(() -> bench.bucketNamed(bucket) == null);
            assertThat(bench.sidecar.buckets).isEmpty();
            assertThat(bench.sidecar.accounts).isEmpty();
        }
    }

    @Test
    void aRetainedBucketIsReleasedAndUsedAgainByALaterRequest(TestCluster cluster) {
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            String bucketClass = bench.bucketClass("kept", it -> it.setReleasePolicy("Retain"));
            String accessClass = bench.accessClass();
            bench.controller(cluster.user("cosi"));
            bench.bind("photos", "viewer", bucketClass, accessClass);
            String bucket = bench.bucketOf("photos").getMetadata().getName();
            bench.deleteBoth("photos", "viewer");
            Eventually.await("Released")
                    .until(() -> ControllerFixture.existing(bench.bucketNamed(bucket))
                                    .phase()
                            == BucketPhase.RELEASED);
            assertThat(ControllerFixture.existing(bench.bucketNamed(bucket))
                            .getMetadata()
                            .getDeletionTimestamp())
                    .isNull();
            assertThat(bench.sidecar.buckets).hasSize(1);

            bench.newBucket("photos", bucketClass);
            Eventually.await("another Bucket").until(() -> bench.buckets().size() == 2);
            bench.createRequest(bench.namespace(), "again", "bucketInstanceName", bucket);
            bench.access("viewer", "again", accessClass);
            bench.awaitAccess("viewer");
            bench.awaitBound("again");
            assertThat(bench.opens("viewer", "viewer")).isTrue();
            Eventually.await("Bound again")
                    .until(() -> ControllerFixture.existing(bench.bucketNamed(bucket))
                                    .phase()
                            == BucketPhase.BOUND);
            assertThat(bench.sidecar.calls).doesNotContain("delete");
        }
    }

    @Test
    void aBucketOfAnAdministratorCanBeUsedAndIsNeverDeleted(TestCluster cluster) {
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            String accessClass = bench.accessClass();
            bench.controller(cluster.user("cosi"));
            bench.sidecar.buckets.add("old-archive");
            String name = bench.namespace() + "-archive";
            bench.createRequest(bench.namespace(), "photos", "bucketInstanceName", name);
            bench.access("viewer", "photos", accessClass);
            assertThat(bench.await("photos", BucketRequestPhase.BUCKET_NOT_FOUND))
                    .contains("Bucket " + name + " does not exist");
            bench.bucket(name, bench.provisioner.toString(), List.of(bench.permitted(bench.namespace())));
            bench.awaitAccess("viewer");
            bench.awaitBound("photos");
            assertThat(ControllerFixture.existing(bench.bucketNamed(name))
                            .getMetadata()
                            .getFinalizers())
                    .containsExactly("cosi.io/finalizer");
            bench.deleteBoth("photos", "viewer");
            bench.awaitSettled();
            assertThat(ControllerFixture.existing(bench.bucketNamed(name))
                            .getMetadata()
                            .getDeletionTimestamp())
                    .isNull();
            assertThat(bench.sidecar.buckets).containsExactly("old-archive");
            assertThat(bench.sidecar.accounts).isEmpty();
        }
    }
}
