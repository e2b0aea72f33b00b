package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.S3Bucket;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is whose: Secrets, Buckets, and the objects of two drivers in one cluster. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class SidecarOwnershipIT {

    @Test
    void twoDriversWhoseLabelsAreTheSameNeverTouchEachOthersObjectsFieldDefects1_4_2(TestCluster cluster) {
        ApiUser first = SidecarBench.deployed(cluster, "first");
        ApiUser second = SidecarBench.deployed(cluster, "second");
        String common = "driver-with-a-name-that-is-longer-than-any-label-can-ever-be";
        try (SidecarBench one = new SidecarBench(cluster, common + ".one");
                SidecarBench two = new SidecarBench(cluster, common + ".two")) {
            assertThat(one.provisioner().label()).isEqualTo(two.provisioner().label());
            one.sidecar(first);
            two.sidecar(second);
            Bucket bucket = one.awaitFilled(one.bucket("photos"));
            BucketAccess access = one.access("photos", bucket);
            one.awaitGranted(access);
            one.delete(access);
            one.awaitRevoked(access);
            one.delete(bucket);
            one.awaitPhase(bucket, BucketPhase.DELETED);
            one.awaitSettled();
            assertThat(two.driver().requests).isEmpty();
            RequestCounts idle = cluster.requests(second);
            assertThat(idle.writes() + idle.events()).as(idle.toString()).isZero();
        }
    }

    @Test
    void aForeignSecretOfTheRightNameIsRefusedAndNeverOverwritten(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            Secret foreign = cluster.admin()
                    .resource(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(cluster.namespace())
                            .withName(CosiNames.accountOf(access.getMetadata().getUid()))
                            .endMetadata()
                            .withStringData(Map.of("mine", "yes"))
                            .build())
                    .create();
            bench.sidecar(user);
            bench.awaitMessage(access, "Retrying: SecretInUse: ");
            assertThat(cluster.admin().resource(foreign).require().getMetadata().getResourceVersion())
                    .isEqualTo(foreign.getMetadata().getResourceVersion());
            // As the message says, it goes on by itself.
            cluster.admin().resource(foreign).delete();
            SidecarBench.await("the Secret").until(() -> !bench.keyOf(access).isEmpty());
            assertThat(bench.driver().accounts).containsValue(bench.keyOf(access));
        }
    }

    @Test
    void aStrippedLabelIsNotADeletionAndADeletedSecretComesBackWithTheSameKeys(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            BucketAccess access = bench.access("photos", bench.awaitFilled(bench.bucket("photos")));
            bench.awaitGranted(access);
            bound(bench, access);
            String key = bench.keyOf(access);
            bench.admin().resource(bench.awaitGranted(access)).edit(it -> {
                it.getMetadata().setLabels(Map.of());
                return it;
            });
            SidecarBench.await("the label")
                    .until(() -> bench.awaitGranted(access).getMetadata().getLabels() != null
                            && bench.awaitGranted(access)
                                    .getMetadata()
                                    .getLabels()
                                    .containsKey(CosiNames.PROVISIONER_LABEL));
            String uid = bench.awaitGranted(access).getMetadata().getUid();
            bench.admin().resource(bench.awaitGranted(access)).delete();
            SidecarBench.await("another Secret")
                    .until(() ->
                            !bench.awaitGranted(access).getMetadata().getUid().equals(uid));
            bench.awaitSettled();
            assertThat(bench.keyOf(access)).isEqualTo(key);
            assertThat(bench.driver().asked(GrantBucketAccessRequest.class)).hasSize(1);
        }
    }

    @Test
    void anAccessWhoseSecretIsGoneByForceCanStillBeDeletedFieldDefects1_4_4(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            BucketAccess access;
            Bucket bucket = bench.bucket("photos");
            try (ControllerProcess _ = bench.sidecar(user)) {
                access = bench.access("photos", bench.awaitFilled(bucket));
                bench.awaitGranted(access);
                bound(bench, access);
            }
            Secret secret = bench.awaitGranted(access);
            bench.admin().resource(secret).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.admin().resource(secret).delete();
            bench.delete(access);
            bench.sidecar(user);
            bench.awaitRevoked(access);
            assertThat(bench.driver().accounts).isEmpty();
        }
    }

    @Test
    void anAccessWhoseBucketIsGoneByForceIsRevokedByWhatItsSecretTells(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(bench.bucket("photos"));
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);
            bench.admin().resource(bench.require(bucket)).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.delete(bucket);
            bench.delete(access);
            bench.awaitRevoked(access);
            assertThat(bench.driver().accounts).isEmpty();
        }
    }

    @Test
    void anAccessOfWhichNothingIsKnownIsLetGoWithAWarning(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            bench.admin().resource(bench.require(bucket)).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.delete(bucket);
            bench.delete(access);
            bench.sidecar(user);
            bench.awaitRevoked(access);
            SidecarBench.await("the warning").until(() -> bench.reasons(access).contains("FailedRevokeAccess"));
        }
    }

    @Test
    void anAdministratorsBucketIsNeitherMadeNorDeletedInTheStore(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver().buckets.put("theirs", "");
            bench.sidecar(user);
            Bucket unfilled = bench.bucket(
                    "unfilled",
                    spec -> administrators(
                            spec, new BucketProtocol("s3", null, new S3Bucket("", "theirs", "", ""), null)));
            bench.awaitReason(unfilled, "MissingConnectionData");
            Bucket filled = bench.bucket(
                    "filled",
                    spec -> administrators(
                            spec,
                            new BucketProtocol(
                                    "s3", null, new S3Bucket("http://store.test:9000", "theirs", "", ""), null)));
            BucketAccess access = bench.access("photos", filled);
            bench.awaitGranted(access);
            bench.delete(access);
            bench.awaitRevoked(access);
            bench.delete(filled);
            bench.awaitPhase(filled, BucketPhase.DELETED);
            SidecarBench.await("an event").until(() -> bench.reasons(filled).contains("BucketRetained"));
            assertThat(bench.driver().asked(DeleteBucketRequest.class)).isEmpty();
            assertThat(bench.driver().buckets).containsKey("theirs");
        }
    }

    @Test
    void withRetainABucketIsReleasedAndAnAdministratorsDeletionKeepsTheData(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            Bucket bucket =
                    bench.awaitFilled(bench.bucket("photos", spec -> Specs.with(spec, "releasePolicy", "Retain")));
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
            assertThat(bench.driver().asked(DeleteBucketRequest.class)).isEmpty();
            assertThat(bench.driver().buckets).hasSize(1);
        }
    }

    @Test
    void anAccessDeletedAndMadeAgainUnderTheSameNameGetsAnAccountOfItsOwnFieldDefects1_4_7(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Bucket bucket = bench.bucket("photos");
            BucketAccess old;
            BucketAccess young;
            try (ControllerProcess _ = bench.sidecar(user)) {
                old = bench.access("photos", bench.awaitFilled(bucket));
                bench.awaitGranted(old);
            }
            // While no sidecar looks, by force: the next one sees only another uid under the same name.
            bench.admin().resource(bench.require(old)).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.delete(old);
            young = bench.access("photos", bucket);
            bench.sidecar(user);
            bench.awaitGranted(young);
            assertThat(young.getMetadata().getUid())
                    .isNotEqualTo(old.getMetadata().getUid());
            assertThat(bench.driver().accounts)
                    .containsKey(CosiNames.accountOf(young.getMetadata().getUid()));
        }
    }

    private static BucketSpec administrators(BucketSpec spec, BucketProtocol protocol) {
        return Specs.of(
                BucketSpec.class, "provisioner", spec.provisioner(), "releasePolicy", "Delete", "protocol", protocol);
    }

    private static void bound(SidecarBench bench, BucketAccess access) {
        bench.admin().resource(bench.require(access)).editStatus(it -> {
            it.setStatus(new io.bucketwright.api.cosi.CosiStatus("Bound", "", List.of(), null));
            return it;
        });
    }
}
