package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules of a BucketAccessRequest. */
class AccessRequestDecisionTest {

    @Test
    void accessNeedsABucketRequestOfTheSameNamespace() {
        World world = bound();
        BucketRequestDecisionTest.existing(world, "shared", world.permitted("team"));
        world.createAccess("team", "thief", "bucketInstance", "shared");
        world.createAccess("others", "thief", "bucketInstance", "bucket-photos-team");
        world.createAccess("others", "thief2", "bucketRequestName", "photos");
        world.settle();
        for (BucketAccessRequest refused : List.of(
                world.accessRequest("team", "thief").orElseThrow(),
                world.accessRequest("others", "thief").orElseThrow(),
                world.accessRequest("others", "thief2").orElseThrow())) {
            assertThat(refused.phase()).isEqualTo(BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND);
            assertThat(refused.status().message()).contains("This namespace has no BucketRequest for the bucket");
        }
        assertThat(world.accounts).hasSize(1);
    }

    @Test
    void aRequestThatATenantForgedGrantsNothing() {
        World world = bound();
        world.createRequest("others", "forged", "bucketInstanceName", "bucket-photos-team");
        BucketRequestDecisionTest.setFinalizers(
                world, world.request("others", "forged").orElseThrow(), "cosi.io/finalizer");
        world.createAccess("others", "thief", "bucketRequestName", "forged");
        world.settle();
        assertThat(world.accessRequest("others", "thief").orElseThrow().phase())
                .isEqualTo(BucketAccessRequestPhase.NAMESPACE_NOT_PERMITTED);
        assertThat(world.accounts).hasSize(1);
    }

    @Test
    void anAccessClassOfAnotherProvisionerOrProtocolIsRefused() {
        World world = bound();
        world.createAccessClass("elsewhere", "store/other.test", "s3");
        world.createAccessClass("google", "store/s3.test", "gcs");
        access(world, "one", "elsewhere", "");
        access(world, "two", "google", "");
        access(world, "three", "all", "gcs");
        world.settle();
        assertThat(phase(world, "one")).isEqualTo(BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROVISIONER);
        assertThat(phase(world, "two")).isEqualTo(BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL);
        assertThat(phase(world, "three")).isEqualTo(BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL);
        assertThat(world.accounts).hasSize(1);
    }

    @Test
    void anAccessClassMayBeCreatedLater() {
        World world = bound();
        access(world, "late", "soon", "");
        world.settle();
        assertThat(phase(world, "late")).isEqualTo(BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND);
        world.createAccessClass("soon", "store/s3.test", "s3");
        world.settle();
        assertThat(phase(world, "late")).isEqualTo(BucketAccessRequestPhase.BOUND);
    }

    @Test
    void aNameOfAnAccessThatTheUserChoseIsRefused() {
        World world = bound();
        world.createAccess(
                "team", "clever", "bucketRequestName", "photos", "bucketAccessName", "bucketaccess-viewer-team");
        world.settle();
        assertThat(phase(world, "clever")).isEqualTo(BucketAccessRequestPhase.INVALID_REQUEST);
    }

    @Test
    void aRemovedLabelIsRestoredAlsoWhileTheObjectIsBeingDeleted() {
        World world = bound();
        world.editMetadata(access(world), metadata -> metadata.withLabels(Map.of()));
        world.controller();
        assertThat(access(world).getMetadata().getLabels()).containsKey(CosiNames.PROVISIONER_LABEL);

        world.delete(world.accessRequest("team", "viewer").orElseThrow());
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        world.deletedByAdministrator.add(World.uid(bucket));
        world.delete(bucket);
        world.controller();
        world.editMetadata(access(world), metadata -> metadata.withLabels(Map.of()));
        world.editMetadata(world.bucket("bucket-photos-team").orElseThrow(), metadata -> metadata.withLabels(Map.of()));
        world.controller();
        assertThat(access(world)).matches(Metadata::isBeingDeleted);
        assertThat(access(world).getMetadata().getLabels()).containsKey(CosiNames.PROVISIONER_LABEL);
        assertThat(world.bucket("bucket-photos-team")
                        .orElseThrow()
                        .getMetadata()
                        .getLabels())
                .containsKey(CosiNames.PROVISIONER_LABEL);
    }

    @Test
    void aWriteThatTheApiServerRefusesIsReportedOnTheRequestAndRetried() {
        World world = new World(ReleasePolicy.DELETE);
        ask(world);
        world.refuseCreation(true);
        world.controller();
        BucketRequest refused = world.request("team", "photos").orElseThrow();
        assertThat(refused.phase()).isEqualTo(BucketRequestPhase.CREATE_REJECTED);
        assertThat(refused.status().message()).contains("exceeded quota");
        world.refuseCreation(false);
        world.pass(Duration.ofMinutes(1));
        world.controller();
        assertThat(world.request("team", "photos").orElseThrow().phase())
                .as("the cause is over")
                .isEqualTo(BucketRequestPhase.CREATING);
        work(world);

        world.sidecar();
        world.refuseCreation(true);
        world.controller();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.SECRET_REJECTED);
        assertThat(viewer(world).status().message())
                .startsWith("Secret viewer with the credentials cannot be written: ")
                .contains("exceeded quota");
        assertThat(world.request("team", "photos").orElseThrow().phase())
                .as("nobody can use the bucket yet")
                .isEqualTo(BucketRequestPhase.CREATING);
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
        assertThat(world.request("team", "photos").orElseThrow().phase()).isEqualTo(BucketRequestPhase.BOUND);
    }

    @Test
    void requestsShowTheCauseThatTheBucketShowsNow() {
        World world = new World(ReleasePolicy.DELETE);
        ask(world);
        world.controller();
        world.trouble = "UNAVAILABLE: lost";
        work(world);
        world.trouble = "ALREADY_EXISTS: half made";
        work(world);
        assertThat(world.request("team", "photos").orElseThrow().status().message())
                .isEqualTo("ALREADY_EXISTS: half made");
        assertThat(viewer(world).status().message()).isEqualTo("ALREADY_EXISTS: half made");
    }

    @Test
    void restoredObjectsFindTheirBucketAndTheFormerAccountIsRevoked() {
        World world = bound();
        String former = access(world).account();
        List<HasMetadata> backup = List.of(
                world.request("team", "photos").orElseThrow(),
                world.accessRequest("team", "viewer").orElseThrow(),
                world.bucket("bucket-photos-team").orElseThrow(),
                access(world));
        backup.forEach(world::restore);
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
        assertThat(world.request("team", "photos").orElseThrow().phase()).isEqualTo(BucketRequestPhase.BOUND);
        assertThat(access(world).account()).isNotEqualTo(former);
        assertThat(world.accounts).containsOnlyKeys(access(world).account());
        assertThat(world.storeBuckets).hasSize(1);

        world.delete(world.accessRequest("team", "viewer").orElseThrow());
        world.delete(world.request("team", "photos").orElseThrow());
        world.settle();
        assertThat(world.accounts).isEmpty();
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.all(Bucket.class)).isEmpty();
    }

    @Test
    void aRequestThatNamesTwoBucketsIsRefused() {
        World world = bound();
        world.createAccess("team", "torn", "bucketRequestName", "photos", "bucketInstance", "another");
        world.settle();
        assertThat(phase(world, "torn")).isEqualTo(BucketAccessRequestPhase.INVALID_REQUEST);
    }

    @Test
    void ambiguousNamesGetDifferentObjects() {
        World world = new World(ReleasePolicy.DELETE);
        requestAmbiguously(world);
        world.createAccess("b-c", "a", "bucketRequestName", "a");
        world.createAccess("c", "a-b", "bucketRequestName", "a-b");
        world.settle();
        assertThat(world.all(Bucket.class)).hasSize(2);
        assertThat(world.all(BucketAccess.class)).hasSize(2);
        assertThat(world.all(BucketAccessRequest.class))
                .allSatisfy(request -> assertThat(request.phase()).isEqualTo(BucketAccessRequestPhase.BOUND));
    }

    @Test
    void ambiguousNamesGetDifferentObjectsAlsoAfterACrash() {
        World world = new World(ReleasePolicy.DELETE);
        requestAmbiguously(world);
        world.dieAt(1, true);
        world.controller();
        assertThat(world.all(Bucket.class))
                .as("the name is reserved, the Bucket does not exist yet")
                .isEmpty();
        world.settle();
        assertThat(world.all(Bucket.class)).hasSize(2);
        ReconcileState names = new ReconcileState();
        assertThat(names.reserve("n", "one")).isTrue();
        assertThat(names.reserve("n", "one")).isTrue();
        assertThat(names.reserve("n", "other")).isFalse();
        assertThat(names.isReservedByOther("n", "other")).isTrue();
        names.forget("one");
        assertThat(names.isReservedByOther("n", "other")).isFalse();
    }

    @Test
    void aSecretWithoutTheRightLabelAndAnnotationIsNotCopied() {
        World world = new World(ReleasePolicy.DELETE);
        ask(world);
        world.controller();
        work(world);
        BucketAccess access = access(world);
        world.sidecar();
        Secret planted = world.secret(World.STORE, access.account()).orElseThrow();
        world.annotate(planted, CosiNames.BUCKET_ACCESS_UID, "another");
        world.controller();
        assertThat(world.secret("team", "viewer")).isEmpty();
        world.annotate(
                planted, CosiNames.BUCKET_ACCESS_UID, access.getMetadata().getUid());
        world.controller();
        assertThat(world.secret("team", "viewer")).isPresent();
    }

    @Test
    void theSecretsNameComesFromTheAccessThenTheBucketsRequestThenItself() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast", "secretName", "usual");
        world.createAccess("team", "one", "bucketRequestName", "photos", "accessSecretName", "mine");
        world.createAccess("team", "two", "bucketRequestName", "photos");
        world.createRequest("team", "plain", "bucketClassName", "fast");
        world.createAccess("team", "three", "bucketRequestName", "plain");
        world.settle();
        assertThat(List.of("mine", "usual", "three"))
                .allSatisfy(name -> assertThat(world.secret("team", name)).isPresent());
    }

    @Test
    void retryableProblemsAreRetryingAndOthersFailed() {
        World world = new World(ReleasePolicy.DELETE);
        ask(world);
        world.controller();
        work(world);
        report(world, BucketAccessPhase.RETRYING, ProvisionerReason.DRIVER_UNAVAILABLE, "the store is down");
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.PENDING);
        assertThat(viewer(world).status().message()).isEqualTo("DriverUnavailable: the store is down");
        report(world, BucketAccessPhase.FAILED, ProvisionerReason.INVALID_PRINCIPAL, "no such ServiceAccount");
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.ACCESS_FAILED);
        world.trouble = "";
        world.settle();
        assertThat(access(world).phase()).contains(BucketAccessPhase.BOUND);
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
    }

    @Test
    void whenAnAdministratorDeletesTheAccessItsRequestReportsItAndNoneIsCreatedAgain() {
        World world = bound();
        world.delete(access(world));
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.ACCESS_LOST);
        assertThat(world.all(BucketAccess.class)).isEmpty();
        assertThat(world.accounts).isEmpty();
        assertThat(world.bucket("bucket-photos-team").orElseThrow().getSpec().bindings())
                .isEmpty();
        world.delete(viewer(world));
        world.settle();
        access(world, "viewer", "all", "");
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
    }

    @Test
    void whenAnAdministratorDeletesTheBucketAccessRemainsAndTheRequestReportsIt() {
        World world = bound();
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        world.deletedByAdministrator.add(bucket.getMetadata().getUid());
        world.delete(bucket);
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
        assertThat(viewer(world).status().message()).contains("is being deleted");
        assertThat(world.storeBuckets).hasSize(1);
        access(world, "second", "all", "");
        world.settle();
        assertThat(phase(world, "second")).isEqualTo(BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS);
        world.delete(viewer(world));
        world.settle();
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
    }

    @Test
    void rotationReachesTheApplication() {
        World world = bound();
        Map<String, String> before =
                Map.copyOf(world.secret("team", "viewer").orElseThrow().getData());
        world.annotate(viewer(world), CosiNames.ROTATE_AT, "2029-12-24T18:00:00+01:00");
        world.settle();
        assertThat(Metadata.annotation(access(world), CosiNames.ROTATE_AT)).isEqualTo("2029-12-24T17:00:00Z");
        assertThat(world.secret("team", "viewer").orElseThrow().getData()).isNotEqualTo(before);
    }

    @Test
    void aMalformedRotationTimeIsIgnoredAndReported() {
        World world = bound();
        world.annotate(viewer(world), CosiNames.ROTATE_AT, "tomorrow");
        world.settle();
        assertThat(viewer(world).status().message()).contains("is not a time such as");
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
    }

    /** The sidecar reports a problem, and the BucketAccess shows its phase. */
    private static void report(World world, BucketAccessPhase phase, ProvisionerReason reason, String message) {
        world.trouble = new ProvisionerReport(phase, reason, message).encode();
        work(world);
        assertThat(access(world).phase()).contains(phase);
    }

    private static void work(World world) {
        world.sidecar();
        world.controller();
    }

    private static BucketAccessRequest viewer(World world) {
        return world.accessRequest("team", "viewer").orElseThrow();
    }

    private static BucketAccess access(World world) {
        return world.all(BucketAccess.class).getFirst();
    }

    private static World bound() {
        World world = new World(ReleasePolicy.DELETE);
        ask(world);
        world.settle();
        assertThat(phase(world, "viewer")).isEqualTo(BucketAccessRequestPhase.BOUND);
        return world;
    }

    /** Both requests would choose the name bucket-a-b-c. */
    private static void requestAmbiguously(World world) {
        world.createRequest("b-c", "a", "bucketClassName", "fast");
        world.createRequest("c", "a-b", "bucketClassName", "fast");
    }

    private static void ask(World world) {
        world.createRequest("team", "photos", "bucketClassName", "fast");
        access(world, "viewer", "all", "");
    }

    private static void access(World world, String name, String accessClass, String protocol) {
        world.createAccess(
                "team",
                name,
                "bucketRequestName",
                "photos",
                "bucketAccessClassName",
                accessClass,
                "protocol",
                protocol);
    }

    private static BucketAccessRequestPhase phase(World world, String name) {
        return world.accessRequest("team", name).orElseThrow().phase();
    }
}
