package io.bucketwright.cosi.driver;

import static io.bucketwright.cosi.driver.ServedClusters.BUCKET;
import static io.bucketwright.cosi.driver.ServedClusters.assertRefused;
import static io.bucketwright.cosi.driver.ServedClusters.delete;
import static io.bucketwright.cosi.driver.ServedClusters.grant;
import static io.bucketwright.cosi.driver.ServedClusters.newBucket;
import static io.bucketwright.cosi.driver.ServedClusters.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.grpc.Status.Code;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two clusters and one store, over the released protocol: a bucket belongs to the cluster that created it. */
class ClusterOwnershipTest {

    private static final String ELSEWHERE = "The bucket " + BUCKET + " belongs to another cluster.";
    private static final Map<String, String> ADOPT = Map.of("adoptFromCluster", "cluster-a");

    private final ServedClusters clusters = new ServedClusters("none", Map.of(), Map.of());
    private final ProvisionerBlockingStub a = clusters.of("cluster-a");
    private final ProvisionerBlockingStub b = clusters.of("cluster-b");

    @AfterEach
    void close() {
        clusters.close();
    }

    @Test
    void aBucketOfAnotherClusterIsNeitherTakenNorUsedNorDeletedByItsName() {
        a.driverCreateBucket(newBucket(Map.of()));

        assertOnlyOf(a, b);
    }

    @Test
    void theSameClusterRepeatsEveryCall() {
        assertThat(a.driverCreateBucket(newBucket(Map.of()))).isEqualTo(a.driverCreateBucket(newBucket(Map.of())));
        assertThat(a.driverGrantBucketAccess(grant(Map.of()))).isEqualTo(a.driverGrantBucketAccess(grant(Map.of())));
        for (int times = 0; times < 2; times++) {
            a.driverRevokeBucketAccess(revoke());
        }
        for (int times = 0; times < 2; times++) {
            a.driverDeleteBucket(delete(Map.of()));
        }
    }

    @Test
    void anAdministratorAdoptsTheBucketsOfAFormerCluster() {
        a.driverCreateBucket(newBucket(Map.of()));
        b.driverCreateBucket(newBucket(ADOPT));
        b.driverCreateBucket(newBucket(ADOPT));

        assertOnlyOf(b, a);
    }

    @Test
    void anAccessClassAdoptsABucketThatNoClassCreates() {
        a.driverCreateBucket(newBucket(Map.of()));
        b.driverGrantBucketAccess(grant(ADOPT));

        assertOnlyOf(b, a);
    }

    @Test
    void aClassThatAdoptsCreatesNewBuckets() {
        b.driverCreateBucket(newBucket(ADOPT));

        assertOnlyOf(b, a);
    }

    @Test
    void onlyTheNamedClusterLosesItsBuckets() {
        clusters.of("cluster-c").driverCreateBucket(newBucket(Map.of()));

        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> b.driverCreateBucket(newBucket(ADOPT)));
        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> b.driverGrantBucketAccess(grant(ADOPT)));
    }

    /** The Bucket keeps the parameter, and the bucket may have gone back to the former cluster. */
    @Test
    void neitherADeletionNorARevocationAdoptsABucket() {
        a.driverCreateBucket(newBucket(Map.of()));

        assertRefused(
                Code.FAILED_PRECONDITION,
                ELSEWHERE,
                () -> b.driverRevokeBucketAccess(
                        revoke().toBuilder().putAllRevokeAccessContext(ADOPT).build()));
        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> b.driverDeleteBucket(delete(ADOPT)));
        a.driverCreateBucket(newBucket(Map.of()));
    }

    @Test
    void aDriverWithoutAClusterIdHasOneOfItsName() {
        clusters.of(CosiDriver.clusterIdOf("test.example.com")).driverCreateBucket(newBucket(Map.of()));

        b.driverCreateBucket(newBucket(Map.of("adoptFromCluster", CosiDriver.clusterIdOf("test.example.com"))));
        b.driverDeleteBucket(delete(Map.of()));
    }

    private static void assertOnlyOf(ProvisionerBlockingStub owner, ProvisionerBlockingStub other) {
        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> other.driverCreateBucket(newBucket(Map.of())));
        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> other.driverGrantBucketAccess(grant(Map.of())));
        assertRefused(Code.FAILED_PRECONDITION, ELSEWHERE, () -> other.driverRevokeBucketAccess(revoke()));
        assertRefused(
                Code.FAILED_PRECONDITION,
                ELSEWHERE,
                () -> other.driverDeleteBucket(delete(Map.of("onNotEmpty", "purge"))));
        owner.driverCreateBucket(newBucket(Map.of()));
        owner.driverGrantBucketAccess(grant(Map.of()));
        owner.driverRevokeBucketAccess(revoke());
        owner.driverDeleteBucket(delete(Map.of()));
    }
}
