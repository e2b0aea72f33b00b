package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims and Buckets are restored from a backup, with new uids and without their status. */
class BucketRestoreTest {

    private static final Duration WHILE = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("/");

    private ReleasedWorld world;
    private InMemoryProcess controller;
    private InMemoryProcess sidecar;
    private String name = "";
    private String id = "";

    @BeforeEach
    void open() {
        world = new ReleasedWorld(Vendor.LINODE, folder);
        controller = world.controller();
        sidecar = world.sidecar(Leadership.always());
    }

    private void start(String policy) {
        world.bucketClass(policy);
        name = ReleasedWorld.bucketName(world.claim("photos", ""));
        id = "us-east/" + name;
        ReleasedWorld.settle(controller, sidecar);
        assertThat(world.bucket(name).status()).isEqualTo(new ReleasedBucketStatus(true, id));
        world.driver.backend().fill(id);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void assertUntouched() {
        assertThat(world.driver.backend().buckets()).containsExactly(id);
        assertThat(world.driver.requests(DriverCreateBucketRequest.class)).hasSize(1);
        assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).isEmpty();
    }

    /** The controller runs all the time, and the claim is restored after its Bucket. */
    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Delete"})
    void aRestoredClaimGetsItsBucketBackWhenAnAdministratorConfirmsIt(String policy) {
        start(policy);
        BucketClaim savedClaim = world.backup(world.claim("photos"));
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(savedClaim);
        world.lose(saved);
        world.pass(WHILE, controller, sidecar);
        world.server.create(saved);
        world.server.create(savedClaim);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(false, ""));
        assertThat(world.bucket(name).status().bucketReady()).isFalse();
        assertThat(ReleasedWorld.events(controller))
                .anyMatch(event -> event.startsWith("BucketClaim BucketRestored: Bucket " + name));
        assertThat(ReleasedWorld.events(sidecar))
                .anyMatch(event -> event.startsWith("Bucket BucketRestored: ")
                        && event.contains("kubectl annotate bucket.objectstorage.k8s.io " + name + " --overwrite "
                                + ReleasedNames.USE_RESTORED + "="
                                + world.bucket(name).getMetadata().getUid()));
        assertUntouched();

        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status()).isEqualTo(new ReleasedBucketStatus(true, id));
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(true, name));
        assertThat(world.bucket(name).isConfirmed()).as("for this claim only").isFalse();
        assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
        assertUntouched();

        world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
        world.pass(WHILE, controller, sidecar);
        assertThat(world.server.list(BucketClaim.class)).isEmpty();
        assertThat(world.driver.backend().buckets()).hasSize(policy.equals("Delete") ? 0 : 1);
    }

    /** Velero restores in alphabetical order. */
    @Test
    void aClaimThatIsRestoredBeforeItsBucketGetsNoNewOne() {
        start("Delete");
        BucketClaim savedClaim = world.backup(world.claim("photos"));
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(savedClaim);
        world.lose(saved);
        world.pass(WHILE, controller, sidecar);
        world.server.create(savedClaim);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.server.list(ReleasedBucket.class)).isEmpty();
        assertThat(ReleasedWorld.events(controller))
                .anyMatch(event -> event.startsWith("BucketClaim BucketRestored: This claim was restored from a backup")
                        && event.contains(name));
        world.server.create(saved);
        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(true, name));
        assertUntouched();
    }

    /** Or somebody copied the manifest of a claim. */
    @Test
    void aRestoredClaimGetsANewBucketIfItsTenantAsksForIt() {
        start("Delete");
        BucketClaim savedClaim = world.backup(world.claim("photos"));
        savedClaim.getMetadata().setName("copy");
        world.server.create(savedClaim);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("copy").status().bucketReady()).isFalse();
        world.server.edit(
                BucketClaim.class,
                ReleasedWorld.NAMESPACE,
                "copy",
                copy -> copy.getMetadata().getAnnotations().remove(ReleasedNames.CLAIM_UID));
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("copy").status().bucketReady()).isTrue();
        assertThat(world.driver.backend().buckets()).hasSize(2);
    }

    /** The word comes first, and the claim long after it. */
    @Test
    void aConfirmedBucketWaitsForItsClaim() {
        start("Delete");
        BucketClaim savedClaim = world.backup(world.claim("photos"));
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(savedClaim);
        world.lose(saved);
        world.server.create(saved);
        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        world.server.create(savedClaim);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(true, name));
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Delete"})
    void aRestoredBucketIsDeletedWithoutItsBucketInTheStore(String policy) {
        start(policy);
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(world.claim("photos"));
        world.lose(saved);
        world.server.create(saved);
        world.server.delete(ReleasedBucket.class, "", name);
        world.pass(Duration.ofMinutes(10), controller, sidecar);
        assertThat(world.hasBucket(name)).isFalse();
        assertThat(ReleasedWorld.events(sidecar))
                .anyMatch(event -> event.startsWith("Bucket BucketRetained: Bucket " + id + " stays in the store"));
        assertUntouched();
    }

    /** As in a test of disaster recovery: whatever is deleted there, the first cluster keeps its bucket. */
    @ParameterizedTest
    @CsvSource({"Retain, claim", "Delete, claim", "Retain, bucket", "Delete, bucket"})
    void aSecondClusterDoesNotTouchTheBucketOfTheFirstOne(String policy, String deleted) {
        start(policy);
        ReleasedWorld second = world.anotherCluster();
        second.bucketClass(policy);
        InMemoryProcess otherController = second.controller();
        InMemoryProcess otherSidecar = second.sidecar(Leadership.always());
        second.server.create(world.backup(world.bucket(name)));
        second.server.create(world.backup(world.claim("photos")));
        second.pass(WHILE, otherController, otherSidecar);
        assertThat(second.claim("photos").status().bucketReady()).isFalse();
        if (deleted.equals("claim")) {
            second.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
        } else {
            second.server.delete(ReleasedBucket.class, "", name);
        }
        second.pass(Duration.ofMinutes(10), otherController, otherSidecar);
        assertThat(second.server.list(BucketClaim.class)).hasSize(deleted.equals("claim") ? 0 : 1);
        assertThat(second.hasBucket(name)).isEqualTo(deleted.equals("claim"));
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(true, name));
        assertThat(world.driver.backend().buckets()).contains(id);
        assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).isEmpty();
    }

    /** The confirmation names the uid of one Bucket, so a later backup does not contain one for the next cluster. */
    @Test
    void aConfirmationInABackupConfirmsNothing() {
        start("Delete");
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(world.claim("photos"));
        world.lose(saved);
        world.server.create(saved);
        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status().bucketReady()).isTrue();
        ReleasedBucket again = world.backup(world.bucket(name));
        world.lose(again);
        world.server.create(again);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status().bucketReady()).isFalse();
        assertUntouched();
    }

    /** The sidecar crashed before it knew the id, and then the backup was made. */
    @Test
    void aRestoredBucketWithoutAnIdIsNotCreatedUnlessTheAdministratorNamesIt() {
        start("Delete");
        ReleasedBucket saved = world.backup(world.bucket(name));
        saved.getMetadata().getAnnotations().remove(ReleasedNames.BUCKET_ID);
        world.lose(world.claim("photos"));
        world.lose(saved);
        world.server.create(saved);
        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        assertThat(ReleasedWorld.events(sidecar))
                .anyMatch(event -> event.contains("write it to spec.existingBucketID"));
        assertUntouched();
        world.server.edit(ReleasedBucket.class, "", name, bucket -> {
            ReleasedBucketSpec spec = bucket.spec();
            bucket.setSpec(new ReleasedBucketSpec(
                    spec.driverName(),
                    spec.bucketClassName(),
                    spec.bucketClaim(),
                    spec.protocols(),
                    spec.parameters(),
                    spec.deletionPolicy(),
                    id));
        });
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status()).isEqualTo(new ReleasedBucketStatus(true, id));
        assertUntouched();
    }

    /** Only the Bucket was lost: its claim is the one that it was bound to. */
    @Test
    void aBucketThatIsRestoredUnderItsLivingClaimWaitsForTheConfirmationToo() {
        start("Delete");
        ReleasedBucket saved = world.backup(world.bucket(name));
        world.lose(saved);
        world.server.create(saved);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status().bucketReady()).isFalse();
        assertThat(ReleasedWorld.events(controller)).anyMatch(event -> event.startsWith("BucketClaim BucketRestored"));
        world.confirm(name);
        world.pass(WHILE, controller, sidecar);
        assertThat(world.bucket(name).status()).isEqualTo(new ReleasedBucketStatus(true, id));
        assertThat(world.claim("photos").status()).isEqualTo(new BucketClaimStatus(true, name));
        assertUntouched();
    }

    @Test
    void aRetainedBucketOfAFormerClaimDoesNotHoldUpTheNextOneOfThatName() {
        start("Retain");
        world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
        world.pass(WHILE, controller, sidecar);
        BucketClaim next = world.claim("photos", "");
        world.pass(WHILE, controller, sidecar);
        assertThat(world.claim("photos").status())
                .isEqualTo(new BucketClaimStatus(true, ReleasedWorld.bucketName(next)));
        assertThat(world.driver.backend().buckets()).hasSize(2).contains(id);
    }

    /** Backups of the reference implementation have no record, so that a Bucket without a claim may be such a one. */
    @Test
    void nothingIsCreatedForABucketWhoseClaimDoesNotExist() {
        start("Delete");
        ReleasedBucket saved = world.backup(world.bucket(name));
        saved.getMetadata().getAnnotations().clear();
        world.lose(world.claim("photos"));
        world.lose(saved);
        world.server.create(saved);
        world.pass(WHILE, controller, sidecar);
        assertThat(ReleasedWorld.events(sidecar)).anyMatch(event -> event.startsWith("Bucket ClaimLost"));
        world.server.delete(ReleasedBucket.class, "", name);
        world.pass(Duration.ofMinutes(10), controller, sidecar);
        assertThat(world.hasBucket(name)).isFalse();
        assertUntouched();
    }
}
