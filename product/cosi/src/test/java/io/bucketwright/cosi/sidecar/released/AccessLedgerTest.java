package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.State;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An access is revoked because the ledger of a Bucket has it and it is not entitled to it, whatever its fields say. */
class AccessLedgerTest {

    private final Path folder;
    private AccessWorld world;

    AccessLedgerTest(@TempDir Path folder) {
        this.folder = folder;
        this.world = new AccessWorld(Vendor.IN_MEMORY_SAMPLE, folder);
    }

    @BeforeEach
    void grant() {
        granted();
    }

    private void open(Vendor vendor) {
        world.close();
        world = new AccessWorld(vendor, folder);
        granted();
    }

    private void granted() {
        world.claim("photos");
        world.access("viewer", "photos");
        world.settle();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void assertNothingRemains() {
        assertThat(world.liveKeys()).isEmpty();
        assertThat(world.grants()).isEmpty();
        assertThat(world.secret("viewer-secret")).isEmpty();
    }

    @Test
    void anAccessIsGrantedWithFiveWritesAndTheLedgerHasItsAccount() {
        assertThat(world.writes().stream().map(write -> write.replaceAll("uid-[0-9]+", "uid")))
                .containsExactly(
                        "PUT apis/objectstorage.k8s.io/v1alpha1/namespaces/apps/bucketaccesses/viewer",
                        "PUT apis/objectstorage.k8s.io/v1alpha1/buckets/bucket-uid",
                        "PUT apis/objectstorage.k8s.io/v1alpha1/buckets/bucket-uid",
                        "POST api/v1/namespaces/apps/secrets",
                        "PUT apis/objectstorage.k8s.io/v1alpha1/namespaces/apps/bucketaccesses/viewer/status");
        ReleasedBucketAccess access = world.find("viewer").orElseThrow();
        String account = ReleasedNames.accountOf(access.getMetadata().getUid());
        assertThat(access.status()).isEqualTo(new ReleasedAccessStatus(account, true));
        assertThat(world.works("viewer-secret")).isTrue();
        assertThat(world.grants()).singleElement().satisfies(grant -> {
            assertThat(grant.state()).isEqualTo(State.PUBLISHED);
            assertThat(grant.account()).isEqualTo(new Grant.Account(account, account, Map.of()));
            assertThat(grant.publication().secret()).isEqualTo("viewer-secret");
            assertThat(grant.publication().keyId()).isEqualTo("key-1");
        });
        // Policies compare it: two drivers may serve one namespace.
        assertThat(world.secret("viewer-secret").orElseThrow().getMetadata().getAnnotations())
                .containsKey(ReleasedNames.DRIVER);
        world.restart();
        world.settle();
        assertThat(world.writes()).as("a restart writes nothing").isEmpty();
        assertThat(world.grantCalls()).isEqualTo(1);
    }

    @Test
    void anAccessThatIsEditedToAnotherClaimLosesTheFirstBucketAndGetsTheOther() {
        String first = world.liveKeys().iterator().next();
        world.claim("music");
        world.editSpec("viewer", "music", "readers", "viewer-secret");
        world.settle();
        assertThat(world.liveKeys()).hasSize(1).doesNotContain(first);
        assertThat(world.works("viewer-secret")).isTrue();
        assertThat(world.grants()).hasSize(1);
        assertThat(world.bucketOf("photos").getMetadata().getAnnotations()).doesNotContainKey(ReleasedNames.GRANTS);
        world.delete("viewer");
        world.settle();
        assertThat(world.find("viewer")).isEmpty();
        assertNothingRemains();
    }

    @Test
    void anAccessThatNamesNonsenseIsRevokedByTheLedger() {
        world.editSpec("viewer", "nonsense", "readers", "viewer-secret");
        world.delete("viewer");
        world.settle();
        assertThat(world.find("viewer")).isEmpty();
        assertNothingRemains();
    }

    @Test
    void anAccessOfAnotherDriversClassIsRevoked() {
        ReleasedBucketAccessClass other = world.accessClass("other");
        other.setDriverName("other.example.com");
        world.editAny(ReleasedBucketAccessClass.class, "", "other", found -> found.setDriverName("other.example.com"));
        world.editSpec("viewer", "photos", "other", "viewer-secret");
        world.settle();
        assertNothingRemains();
        world.delete("viewer");
        world.settle();
        assertThat(world.find("viewer")).isEmpty();
    }

    @Test
    void anAccessWhoseFinalizerIsStrippedIsRevoked() {
        world.edit("viewer", access -> access.getMetadata().setFinalizers(List.of()));
        world.delete("viewer");
        world.settle();
        assertNothingRemains();
    }

    @Test
    void anAccessThatVanishedWhileNoSidecarRanIsRevokedByTheNextOne() {
        world.edit("viewer", access -> access.getMetadata().setFinalizers(List.of()));
        world.delete("viewer");
        world.restart();
        world.settle();
        assertNothingRemains();
    }

    @Test
    void anAccessIsRevokedWhenItsClaimVanishes() {
        world.editAny(
                BucketClaim.class,
                AccessWorld.NAMESPACE,
                "photos",
                claim -> claim.getMetadata().setFinalizers(List.of()));
        world.server.delete(BucketClaim.class, AccessWorld.NAMESPACE, "photos");
        world.settle();
        assertNothingRemains();
    }

    /** An administrator binds a retained Bucket to the claim of another tenant. */
    @Test
    void anAccessIsRevokedWhenTheBucketIsBoundToAnotherClaim() {
        ReleasedBucket bucket = world.bucketOf("photos");
        world.editAny(
                ReleasedBucket.class,
                "",
                bucket.getMetadata().getName(),
                found -> found.spec().bucketClaim().setUid("another"));
        world.settle();
        assertNothingRemains();
    }

    /** The claim of that name was created again: its accesses have nothing to do with the former Bucket. */
    @Test
    void aRetainedBucketOfAFormerClaimHasNoAccessesOfTheNextClaim() {
        ReleasedBucket former = world.bucketOf("photos");
        world.delete("viewer");
        world.settle();
        world.editAny(
                BucketClaim.class,
                AccessWorld.NAMESPACE,
                "photos",
                claim -> claim.getMetadata().setFinalizers(List.of()));
        world.server.delete(BucketClaim.class, AccessWorld.NAMESPACE, "photos");
        granted();
        assertThat(world.accessesOf(former)).isEmpty();
        assertThat(world.accessesOf(world.bucketOf("photos"))).containsExactly("viewer");
    }

    @Test
    void anAccessThatIsTooLargeIsReportedAndCanBeDeleted() {
        rotate("2026-01-01T00:00:00Z");
        world.settle();
        world.edit("viewer", access -> {
            Map<String, String> all = new HashMap<>(access.getMetadata().getAnnotations());
            all.put("large", "x".repeat(300_000));
            access.getMetadata().setAnnotations(all);
        });
        world.settle();
        assertThat(world.events()).anyMatch(event -> event.startsWith("ObjectTooLarge"));
        world.pass(Duration.ofMinutes(31));
        assertThat(world.liveKeys()).as("the overlap ends").hasSize(1);
        world.delete("viewer");
        world.settle();
        assertThat(world.find("viewer")).isEmpty();
        assertNothingRemains();
    }

    @Test
    void anAccessThatIsTooLargeIsReportedAtOnceThoughItsClaimDoesNotExist() {
        world.access("large", "nonsense");
        world.edit("large", access -> access.getMetadata().setAnnotations(Map.of("large", "x".repeat(300_000))));
        world.settle();
        assertThat(world.events()).anyMatch(event -> event.startsWith("ObjectTooLarge"));
    }

    @Test
    void aFailedFirstGrantIsRepeatedWithoutARestart() {
        open(Vendor.SCALITY);
        world.failAfter(DriverGrantBucketAccessRequest.class, Status.INTERNAL, 1);
        world.access("second", "photos");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.works("second-secret")).isTrue();
        assertThat(world.liveKeys()).hasSize(2);
    }

    @Test
    void aClassThatIsCorrectedIsTriedAtOnce() {
        open(Vendor.VERSITYGW);
        world.accessClass("wrong");
        world.editAny(ReleasedBucketAccessClass.class, "", "wrong", found -> found.setParameters(Map.of("mode", "ro")));
        world.access("second", "photos");
        world.editSpec("second", "photos", "wrong", "second-secret");
        world.settle();
        assertThat(world.isGranted("second")).isFalse();
        world.editAny(ReleasedBucketAccessClass.class, "", "wrong", found -> found.setParameters(Map.of()));
        world.settle();
        assertThat(world.isGranted("second")).isTrue();
    }

    @Test
    void anotherSecretNameGetsTheCredentialsAndTheFormerSecretIsReleased() {
        String key = world.liveKeys().iterator().next();
        world.editSpec("viewer", "photos", "readers", "renamed");
        world.settle();
        assertThat(world.info("renamed")).contains('"' + key + '"');
        assertThat(world.secret("viewer-secret")).isEmpty();
        world.delete("viewer");
        world.settle();
        assertThat(world.secret("renamed")).isEmpty();
        assertNothingRemains();
    }

    @Test
    void aSecretThatIsBeingDeletedIsReleasedAtTheDeletionOfTheAccess() {
        world.server.delete(Secret.class, AccessWorld.NAMESPACE, "viewer-secret");
        assertThat(world.secret("viewer-secret")).isPresent();
        world.delete("viewer");
        world.settle();
        assertNothingRemains();
    }

    @Test
    void aDeletedSecretOfAGrantedAccessIsWrittenAgainWithOtherCredentials() {
        world.editAny(
                Secret.class,
                AccessWorld.NAMESPACE,
                "viewer-secret",
                secret -> secret.getMetadata().setFinalizers(List.of()));
        world.server.delete(Secret.class, AccessWorld.NAMESPACE, "viewer-secret");
        world.pass(Duration.ofHours(3));
        assertThat(world.works("viewer-secret")).isTrue();
        assertThat(world.liveKeys()).hasSize(1);
        world.server.delete(Secret.class, AccessWorld.NAMESPACE, "viewer-secret");
        world.pass(Duration.ofHours(3));
        assertThat(world.secret("viewer-secret").orElseThrow().getMetadata().getDeletionTimestamp())
                .isNull();
        assertThat(world.works("viewer-secret")).isTrue();
    }

    @Test
    void anOutageOfTheStoreNeverCountsAsAbsentBeforeMinutesHavePassed() {
        open(Vendor.CEPH);
        world.failBefore(DriverRevokeBucketAccessRequest.class, Status.INTERNAL, () -> true);
        world.delete("viewer");
        world.restart();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.find("viewer")).isPresent();
        assertThat(world.grants()).hasSize(1);
        world.stub.beforeEffect(_ -> {});
        world.pass(Duration.ofMinutes(5));
        assertThat(world.find("viewer")).isEmpty();
        assertNothingRemains();
    }

    @Test
    void anErrorThatMayMeanAbsentIsGivenUpAfterMinutesWithAnEventAndOthersNever() {
        world.failBefore(DriverRevokeBucketAccessRequest.class, Status.UNAVAILABLE, () -> true);
        world.delete("viewer");
        world.pass(Duration.ofHours(1));
        assertThat(world.find("viewer")).isPresent();
        world.failBefore(DriverRevokeBucketAccessRequest.class, Status.INTERNAL, () -> true);
        world.pass(Duration.ofMinutes(20));
        assertThat(world.find("viewer")).isEmpty();
        assertThat(world.events()).anyMatch(event -> event.contains("delete it there"));
    }

    @Test
    void abortedMeansThatTheDriverIsWorkingOnIt() {
        int[] answers = {3};
        world.failBefore(DriverGrantBucketAccessRequest.class, Status.ABORTED, () -> answers[0]-- > 0);
        world.access("second", "photos");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.isGranted("second")).isTrue();
        assertThat(world.revokedIds()).isEmpty();
    }

    /** Each answer is lost, and no account is found by its name. */
    @Test
    void atMostTwoAccountsOfAnAccessWorkWhateverTheDriverDoes() {
        open(Vendor.VERSITYGW);
        world.failAfter(DriverGrantBucketAccessRequest.class, Status.DEADLINE_EXCEEDED, 1_000);
        world.access("second", "photos");
        world.pass(AccessWorld.LONG);
        assertThat(world.liveKeys()).as("one of the other access").hasSize(3);
        assertThat(world.events()).anyMatch(event -> event.contains("Until then no other account is requested"));
        // An administrator has deleted both.
        world.stub.afterEffect(_ -> {});
        ReleasedBucket bucket = world.bucketOf("photos");
        String names = String.join(
                ",",
                world.grants().stream()
                        .filter(grant -> grant.state() == State.UNCONFIRMED)
                        .map(grant -> grant.account().name())
                        .toList());
        world.editAny(
                ReleasedBucket.class,
                "",
                bucket.getMetadata().getName(),
                found -> found.getMetadata().getAnnotations().put(ReleasedNames.DELETED_ACCOUNTS, names));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.isGranted("second")).isTrue();
    }

    @Test
    void aRestoredBucketIsNotTouchedUntilAnAdministratorAdoptsIt() {
        ReleasedBucket bucket = world.bucketOf("photos");
        String name = bucket.getMetadata().getName();
        mark(name, "another");
        world.edit("viewer", access -> access.getMetadata().setFinalizers(List.of()));
        world.delete("viewer");
        world.access("second", "photos");
        world.settle();
        assertThat(world.liveKeys()).hasSize(1);
        assertThat(world.isGranted("second")).isFalse();
        assertThat(world.events()).anyMatch(event -> event.startsWith("BucketRestored"));
        mark(name, bucket.getMetadata().getUid());
        world.settle();
        assertThat(world.isGranted("second")).isTrue();
        assertThat(world.liveKeys()).hasSize(1);
        assertThat(world.works("second-secret")).isTrue();
    }

    private void mark(String bucket, String uid) {
        annotate(bucket, ReleasedNames.BUCKET_UID, uid);
    }

    private void annotate(String bucket, String key, String value) {
        world.editAny(ReleasedBucket.class, "", bucket, found -> {
            Map<String, String> all = new HashMap<>(found.getMetadata().getAnnotations());
            all.put(key, value);
            found.getMetadata().setAnnotations(all);
        });
    }

    @Test
    void nothingIsGrantedOrRevokedByALedgerOfANewerVersion() {
        annotate(world.bucketOf("photos").getMetadata().getName(), ReleasedNames.GRANTS, "{\"version\":2}");
        world.access("second", "photos");
        world.delete("viewer");
        world.settle();
        assertThat(world.find("viewer")).isPresent();
        assertThat(world.isGranted("second")).isFalse();
        assertThat(world.liveKeys()).hasSize(1);
        assertThat(world.events()).anyMatch(event -> event.startsWith("UnreadableLedger"));
    }

    @Test
    void aRotationPublishesAnotherAccountAndRevokesTheFirstAfterTheOverlap() {
        rotate("2026-01-01T00:00:00Z");
        world.settle();
        assertThat(world.liveKeys()).hasSize(2);
        assertThat(world.grants()).extracting(Grant::state).containsExactly(State.RETIRING, State.PUBLISHED);
        assertThat(world.events()).anyMatch(event -> event.startsWith("AccessRotated"));
        world.pass(Duration.ofMinutes(31));
        assertThat(world.liveKeys()).hasSize(1);
        assertThat(world.works("viewer-secret")).isTrue();
        assertThat(world.grants()).hasSize(1);
    }

    private void rotate(String at) {
        world.edit("viewer", access -> {
            Map<String, String> all = new HashMap<>(access.getMetadata().getAnnotations());
            all.put(CosiNames.ROTATE_AT, at);
            access.getMetadata().setAnnotations(all);
        });
    }

    @Test
    void anAccessThatTheReferenceGrantedIsImportedWithTheIdOfItsStatus() {
        open(Vendor.DELL);
        ReleasedBucket bucket = world.bucketOf("photos");
        world.editAny(
                ReleasedBucket.class,
                "",
                bucket.getMetadata().getName(),
                found -> found.getMetadata().setAnnotations(Map.of()));
        world.restart();
        world.settle();
        assertThat(world.grantCalls()).isEqualTo(1);
        assertThat(world.grants())
                .singleElement()
                .satisfies(grant -> assertThat(grant.account().id()).startsWith("user:"));
        world.delete("viewer");
        world.settle();
        assertNothingRemains();
    }

    @Test
    void anAccountThatIsInNoStatusIsNeverGuessed() {
        open(Vendor.DELL);
        ReleasedBucket bucket = world.bucketOf("photos");
        world.editAny(
                ReleasedBucket.class,
                "",
                bucket.getMetadata().getName(),
                found -> found.getMetadata().setAnnotations(Map.of()));
        world.edit("viewer", access -> access.setStatus(new ReleasedAccessStatus("", false)));
        world.restart();
        world.settle();
        assertThat(world.events()).anyMatch(event -> event.contains("Another sidecar granted this access"));
        assertThat(world.grants()).extracting(Grant::state).contains(State.UNCONFIRMED);
        assertThat(world.isGranted("viewer")).isTrue();
    }
}
