package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.sidecar.released.ReleasedFixture;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** BucketClaims and BucketAccesses with both halves of this project, on a driver of a vendor. */
@OnCluster(named = "controllers")
@ResourceLock("BucketClaims of all namespaces")
class ReleasedFlowIT {

    private static final int CLAIMS = 30;

    @Test
    void claimsAreReadyWithinTheBudgetStayReadyAndAreDeletedWithTheirBuckets(TestCluster cluster) {
        String driver = "driver." + cluster.namespace();
        ApiUser user = cluster.user("claims");
        try (VendorDriver vendor = new VendorDriver(driver);
                StartedProcesses processes = new StartedProcesses();
                ReleasedFixture bench =
                        new ReleasedFixture(cluster, ReleasedFixture.vendorUser(cluster, "sidecar"), driver)) {
            ControllerProcess _ = processes.start(ClientOptions.config(BucketClaimController.builder(), user.config())
                    .build());
            bench.sidecar(vendor.endpoint());
            ReleasedBucketClass bucketClass = bucketClass(cluster, driver);
            bench.accessClass("readers", driver, Map.of());
            RequestCounts controllerBefore = cluster.requests(user);
            RequestCounts sidecarBefore = cluster.requests(bench.user);

            List<BucketClaim> claims = IntStream.range(0, CLAIMS)
                    .mapToObj(number -> claim(cluster, "photos-" + number))
                    .toList();
            ReleasedBucketAccess access = bench.access("viewer", "photos-0", "readers");
            claims.forEach(bench::awaitReady);
            bench.awaitGranted(access);
            bench.awaitSettled();

            claims.forEach(claim ->
                    assertThat(bench.require(claim).status().bucketReady()).isTrue());
            RequestCounts controller =
                    cluster.requests(user).since(controllerBefore).within(cluster.namespace());
            RequestCounts sidecar =
                    cluster.requests(bench.user).since(sidecarBefore).within(cluster.namespace());
            assertThat(controller.writes()).as("%s", controller).isEqualTo(3 * CLAIMS);
            assertThat(sidecar.writes()).as("%s", sidecar).isEqualTo(4 * CLAIMS + 5);
            assertThat(controller.reads() + sidecar.reads()).isZero();
            assertThat(vendor.asked(DriverCreateBucketRequest.class)).hasSize(CLAIMS);

            bench.delete(claims.getFirst());
            Eventually.await("the access to be waited for")
                    .until(() -> !cluster.events("photos-0", "InUse").isEmpty());
            bench.delete(access);
            claims.stream().skip(1).forEach(bench::delete);
            claims.forEach(bench::awaitDeleted);
            assertThat(claims).noneMatch(claim -> bucketExists(cluster, claim));
            bench.delete(bucketClass);
        }
    }

    private static ReleasedBucketClass bucketClass(TestCluster cluster, String driver) {
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        bucketClass.setDriverName(driver);
        bucketClass.setDeletionPolicy("Delete");
        return cluster.admin().resource(bucketClass).create();
    }

    private static BucketClaim claim(TestCluster cluster, String name) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(name)
                .build());
        claim.setSpec(new BucketClaimSpec(cluster.namespace(), List.of("S3"), ""));
        return cluster.admin().resource(claim).create();
    }

    private static boolean bucketExists(TestCluster cluster, BucketClaim claim) {
        return cluster.admin()
                        .resources(ReleasedBucket.class)
                        .withName(ReleasedFixture.bucketName(claim))
                        .get()
                != null;
    }
}
