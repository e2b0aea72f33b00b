package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.sidecar.released.ReleasedFixture;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Claims, Buckets and accesses are exported, lost and created again, with new uids and without a status. */
@OnCluster(named = "controllers")
@ResourceLock("BucketClaims of all namespaces")
class ReleasedRestoreIT {

    @Test
    void aRestoredClaimAndItsAccessUseTheirBucketAgainWhenAnAdministratorConfirmsIt(TestCluster cluster) {
        String driver = "driver." + cluster.namespace();
        ApiUser user = cluster.user("claims");
        try (VendorDriver vendor = new VendorDriver(driver);
                StartedProcesses processes = new StartedProcesses();
                ReleasedFixture bench =
                        new ReleasedFixture(cluster, ReleasedFixture.vendorUser(cluster, "sidecar"), driver)) {
            ControllerProcess controller = start(bench, processes, user, vendor);
            ReleasedBucketClass bucketClass = bucketClass(cluster, driver);
            bench.accessClass("readers", driver, Map.of());
            BucketClaim claim = claim(cluster);
            ReleasedBucketAccess access = bench.access("viewer", "photos", "readers");
            bench.awaitReady(claim);
            bench.awaitGranted(access);
            String name = ReleasedFixture.bucketName(claim);
            String info = bench.infoOf(access);
            bench.stopSidecars();
            controller.close();

            ReleasedBucket savedBucket = backup(bench.bucketOf(claim));
            BucketClaim savedClaim = backup(bench.require(claim));
            ReleasedBucketAccess savedAccess = backup(bench.require(access));
            cluster.forceDelete(Objects.requireNonNull(bench.secretOf(access)));
            cluster.forceDelete(access);
            cluster.forceDelete(claim);
            cluster.forceDelete(bench.bucketOf(claim));
            BucketClaim restoredClaim = cluster.admin().resource(savedClaim).create();
            ReleasedBucket restoredBucket =
                    cluster.admin().resource(savedBucket).create();
            ReleasedBucketAccess restoredAccess =
                    cluster.admin().resource(savedAccess).create();
            ControllerProcess _ = start(bench, processes, user, vendor);
            bench.awaitEvent(restoredBucket, "BucketRestored");
            bench.awaitEvent(restoredClaim, "BucketRestored");
            bench.awaitSettled();
            assertThat(bench.require(restoredClaim).status().bucketReady()).isFalse();
            assertThat(bench.require(restoredAccess).status().accessGranted()).isFalse();

            cluster.edit(
                    restoredBucket,
                    bucket -> bucket.getMetadata()
                            .getAnnotations()
                            .put(
                                    ReleasedNames.USE_RESTORED,
                                    bucket.getMetadata().getUid()));
            ReleasedFixture.await("the restored claim")
                    .until(() -> bench.require(restoredClaim).status().bucketReady());
            bench.awaitGranted(restoredAccess);
            assertThat(bench.require(restoredClaim).status().bucketName()).isEqualTo(name);
            assertThat(bench.infoOf(restoredAccess))
                    .contains("\"bucketName\":\"" + name + "\"")
                    .isNotEqualTo(info);
            assertThat(vendor.buckets).containsValue(name).hasSize(1);
            assertThat(vendor.asked(DriverCreateBucketRequest.class)).hasSize(1);
            assertThat(vendor.asked(DriverDeleteBucketRequest.class)).isEmpty();

            bench.delete(restoredAccess);
            bench.delete(restoredClaim);
            bench.awaitDeleted(restoredClaim);
            bench.awaitDeleted(restoredBucket);
            assertThat(vendor.buckets).isEmpty();
            bench.delete(bucketClass);
        }
    }

    private static ControllerProcess start(
            ReleasedFixture bench, StartedProcesses processes, ApiUser user, VendorDriver vendor) {
        ControllerProcess controller =
                processes.start(ClientOptions.config(BucketClaimController.builder(), user.config())
                        .build());
        bench.sidecar(vendor.endpoint());
        return controller;
    }

    /** As a backup has it, such as that of Velero. */
    private static <T extends HasMetadata> T backup(T object) {
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName())
                .withAnnotations(object.getMetadata().getAnnotations())
                .withFinalizers(object.getMetadata().getFinalizers())
                .build());
        return object;
    }

    private static ReleasedBucketClass bucketClass(TestCluster cluster, String driver) {
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        bucketClass.setDriverName(driver);
        bucketClass.setDeletionPolicy("Delete");
        return cluster.admin().resource(bucketClass).create();
    }

    private static BucketClaim claim(TestCluster cluster) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName("photos")
                .build());
        claim.setSpec(new BucketClaimSpec(cluster.namespace(), List.of("S3"), ""));
        return cluster.admin().resource(claim).create();
    }
}
