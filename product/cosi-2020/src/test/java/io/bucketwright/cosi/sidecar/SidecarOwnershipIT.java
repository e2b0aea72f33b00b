package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ownership of Secrets and Buckets, and the objects of two drivers in one cluster. */
@OnCluster
class SidecarOwnershipIT extends SidecarTest {

    @Test
    void twoDriversWhoseLabelsAreTheSameNeverTouchEachOthersObjectsFieldDefects1_4_2() {
        ApiUser second = SidecarFixture.deployed(cluster, "second");
        String common = "driver-with-a-name-that-is-longer-than-any-label-can-ever-be";
        try (SidecarFixture one = new SidecarFixture(cluster, user, common + ".one");
                SidecarFixture two = new SidecarFixture(cluster, second, common + ".two")) {
            assertThat(one.provisioner.label()).isEqualTo(two.provisioner.label());
            one.sidecar();
            two.sidecar();
            Bucket bucket = one.createdBucket();
            one.revoke(one.grantedAccess(bucket));
            one.deleteBucket(bucket);
            one.awaitSettled();
            assertThat(two.driver.requests).isEmpty();
            RequestCounts idle = cluster.requests(second);
            assertThat(idle.writes() + idle.events()).as(idle.toString()).isZero();
        }
    }

    @Test
    void aForeignSecretOfTheRightNameIsRefusedAndNeverOverwritten() {
        Bucket bucket = bench.bucket("photos");
        BucketAccess access = bench.access("photos", bucket);
        Secret foreign = bench.secret(cluster.namespace(), access.account(), Map.of(), "foreign");
        bench.sidecar();
        bench.awaitMessage(access, "Retrying: SecretInUse: ");
        assertThat(bench.require(foreign).getMetadata().getResourceVersion())
                .isEqualTo(foreign.getMetadata().getResourceVersion());
        // As the message promises, the sidecar retries.
        bench.delete(foreign);
        SidecarFixture.await("the Secret").until(() -> !bench.keyOf(access).isEmpty());
        assertThat(driver.accounts).containsValue(bench.keyOf(access));
    }

    @Test
    void aRemovedLabelIsNoDeletionAndADeletedSecretIsCreatedAgainWithTheSameKeys() {
        bench.sidecar();
        BucketAccess access = bench.grantedAccess(bench.createdBucket());
        bound(access);
        String key = bench.keyOf(access);
        cluster.edit(bench.awaitGranted(access), secret -> secret.getMetadata().setLabels(Map.of()));
        SidecarFixture.await("the label")
                .until(() -> Metadata.labels(bench.awaitGranted(access)).containsKey(CosiNames.PROVISIONER_LABEL));
        String uid = bench.awaitGranted(access).getMetadata().getUid();
        bench.delete(bench.awaitGranted(access));
        SidecarFixture.await("another Secret")
                .until(() -> !bench.awaitGranted(access).getMetadata().getUid().equals(uid));
        bench.awaitSettled();
        assertThat(bench.keyOf(access)).isEqualTo(key);
        assertThat(driver.asked(GrantBucketAccessRequest.class)).hasSize(1);
    }

    @Test
    void anAccessWhoseSecretWasDeletedByForceCanStillBeDeletedFieldDefects1_4_4() {
        BucketAccess access;
        try (ControllerProcess _ = bench.sidecar()) {
            access = bench.grantedAccess(bench.createdBucket());
            bound(access);
        }
        cluster.forceDelete(bench.awaitGranted(access));
        bench.delete(access);
        bench.sidecar();
        bench.awaitRevoked(access);
        assertThat(driver.accounts).isEmpty();
    }

    @Test
    void anAccessThatWasDeletedByForceIsRevokedAlsoIfNoSidecarRan() {
        Bucket bucket;
        BucketAccess access;
        try (ControllerProcess _ = bench.sidecar()) {
            bucket = bench.createdBucket();
            access = bench.grantedAccess(bucket);
        }
        assertThat(driver.accounts).isNotEmpty();
        cluster.forceDelete(bench.require(access));
        bench.sidecar();
        SidecarFixture.await("the end of the access").until(() -> driver.accounts.isEmpty());
        SidecarFixture.await("the deletion of the Secret").until(() -> bench.secretOf(access) == null);
        bench.deleteBucket(bucket);
    }

    @Test
    void anAccessWhoseBucketWasDeletedByForceIsRevokedWithTheDataOfItsSecret() {
        bench.sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess access = bench.grantedAccess(bucket);
        cluster.forceDelete(bench.require(bucket));
        bench.revoke(access);
        assertThat(driver.accounts).isEmpty();
    }

    @Test
    void anAccessOfWhichNothingIsKnownWaitsForARestoreOfItsBucket() {
        Bucket bucket = bench.bucket("photos");
        BucketAccess access = bench.access("photos", bucket);
        cluster.forceDelete(bench.require(bucket));
        bench.delete(access);
        bench.sidecar();
        bench.awaitSettled();
        // It is given up after minutes: SidecarAccessDecisionTest.decidesByTheTable.
        BucketAccess waiting = bench.require(access);
        assertThat(Metadata.hasFinalizer(waiting, CosiNames.PROVISIONER_FINALIZER))
                .isTrue();
        assertThat(bench.messageOf(waiting))
                .startsWith("Retrying: BucketDoesNotExist: ")
                .contains("in case the Bucket is restored from a backup");
        assertThat(bench.reasons(access)).containsOnlyOnce("FailedRevokeAccess");
        cluster.forceDelete(waiting);
    }

    @Test
    void restoredObjectsWithOtherUidsAreRevokedAndDeletedInTheStore() {
        Bucket bucket;
        BucketAccess access;
        try (ControllerProcess _ = bench.sidecar()) {
            bucket = bench.createdBucket();
            access = bench.grantedAccess(bucket);
        }
        cluster.forceDelete(bench.awaitGranted(access));
        Bucket restored = bench.restore(bucket);
        BucketAccess restoredAccess = bench.restore(access);
        bench.delete(restoredAccess);
        bench.delete(restored);
        bench.sidecar();
        bench.awaitRevoked(restoredAccess);
        bench.awaitPhase(restored, BucketPhase.DELETED);
        assertThat(driver.accounts).isEmpty();
        assertThat(driver.buckets).isEmpty();
    }

    @Test
    void anAdministratorsBucketIsNeitherMadeNorDeletedInTheStore() {
        driver.buckets.put("theirs", "");
        bench.sidecar();
        Bucket incomplete = administrators("incomplete", "");
        BucketAccess first = bench.access("first", incomplete);
        bench.awaitGranted(first);
        bench.revoke(first);
        assertThat(driver.asked(CreateBucketRequest.class)).isEmpty();
        Bucket complete = administrators("complete", "http://store.test:9000");
        bench.revoke(bench.grantedAccess(complete));
        bench.deleteBucket(complete);
        SidecarFixture.await("an event").until(() -> bench.reasons(complete).contains("BucketRetained"));
        assertThat(driver.asked(DeleteBucketRequest.class)).isEmpty();
        assertThat(driver.buckets).containsKey("theirs");
    }

    @Test
    void withRetainABucketIsReleasedAndAnAdministratorsDeletionKeepsTheData() {
        bench.sidecar();
        Bucket bucket = bench.awaitCreated(bench.bucket("photos", spec -> Specs.with(spec, "releasePolicy", "Retain")));
        bench.bind(bucket, "a:b/c");
        bench.awaitPhase(bucket, BucketPhase.BOUND);
        bench.bind(bucket);
        bench.awaitPhase(bucket, BucketPhase.RELEASED);
        bench.bind(bucket, "d:e/f");
        bench.awaitPhase(bucket, BucketPhase.BOUND);
        bench.delete(bucket);
        bench.awaitReason(bucket, "InUse");
        assertThat(bench.require(bucket).phase()).isEqualTo(BucketPhase.BOUND);
        bench.bind(bucket);
        bench.awaitPhase(bucket, BucketPhase.DELETED);
        assertThat(driver.asked(DeleteBucketRequest.class)).isEmpty();
        assertThat(driver.buckets).hasSize(1);
    }

    @Test
    void anAccessDeletedAndMadeAgainUnderTheSameNameGetsAnAccountOfItsOwnFieldDefects1_4_7() {
        Bucket bucket = bench.bucket("photos");
        BucketAccess old;
        try (ControllerProcess _ = bench.sidecar()) {
            old = bench.grantedAccess(bench.awaitCreated(bucket));
        }
        // While no sidecar runs: the next one sees only another uid under the same name.
        cluster.forceDelete(bench.require(old));
        BucketAccess young = bench.access("photos", bucket);
        bench.sidecar();
        bench.awaitGranted(young);
        assertThat(young.getMetadata().getUid()).isNotEqualTo(old.getMetadata().getUid());
        assertThat(driver.accounts).containsKey(young.account());
    }

    /** A Bucket that an administrator created for the bucket "theirs". */
    private Bucket administrators(String name, String endpoint) {
        S3Bucket theirs = new S3Bucket(endpoint, "theirs", "", "");
        return bench.bucket(
                name,
                spec -> Specs.with(
                        Specs.without(spec, "bucketRequest"),
                        "protocol",
                        new BucketProtocol("s3", null, theirs, null)));
    }

    private void bound(BucketAccess access) {
        cluster.editStatus(access, current -> current.setStatus(new CosiStatus("Bound", "", List.of(), null)));
    }
}
