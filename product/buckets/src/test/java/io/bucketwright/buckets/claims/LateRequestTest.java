package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that does not respond in time carries out the request later, also after the claim was deleted. */
class LateRequestTest {

    private static final Duration LATE = Duration.ofSeconds(20);

    private static final ObjectBucketClaimSpec.Builder PHOTOS = spec().bucketName("photos");

    private World world = new World(Map.of());

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aBucketCreatedAfterItsClaimWasDeletedIsDeleted() {
        claimLate();
        world.delete(ObjectBucketClaim.class);
        assertNothingIsLeft();
    }

    @Test
    void aBucketCreatedAfterACrashAndTheDeletionOfItsClaimIsDeleted() {
        claimLate();
        world.delete(ObjectBucketClaim.class);
        world.restart();
        assertNothingIsLeft();
    }

    @Test
    void aCrashDuringTheWaitLeavesNothing() {
        claimLate();
        world.delete(ObjectBucketClaim.class);
        world.settleFor(Duration.ofSeconds(19));
        world.restart();
        assertNothingIsLeft();
    }

    @Test
    void aBucketCreatedAgainByTheFirstRequestIsDeleted() {
        claimLate();
        world.settleFor(World.SECOND);
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.delete(ObjectBucketClaim.class);
        assertNothingIsLeft();
    }

    @Test
    void aUserCreatedAfterTheClaimOfAnExistingBucketWasDeletedIsDeleted() {
        world.close();
        world = new World(Map.of("bucketName", "shared"));
        world.store.existing("shared");
        world.respondLate(LATE);
        world.reconcile(spec());
        world.delete(ObjectBucketClaim.class);
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.principals()).isZero();
        assertThat(world.store.names()).containsExactly("shared");
    }

    @Test
    void aUserCreatedByARotationAfterTheClaimWasDeletedIsDeleted() {
        claim();
        world.respondLate(LATE);
        world.rotate();
        assertThat(world.store.count("grant")).isEqualTo(1);
        world.delete(ObjectBucketClaim.class);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRetainedBucketThatALateOptionOpensIsClosed(boolean crash) {
        world.close();
        world = new World(Map.of("reclaimPolicy", "Retain", "allowedOptions", "anonymousAccess"));
        claim();
        world.respondLate(LATE);
        world.setOptions(Map.of("anonymousAccess", "rw"));
        world.reconcile();
        assertThat(world.store.count("update")).isEqualTo(1);
        if (crash) {
            world.stop();
        }
        world.delete(ObjectBucketClaim.class);
        if (crash) {
            world.restart();
        }
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.isOpen("photos")).isFalse();
        assertThat(world.store.tag("photos")).startsWith("released:");
    }

    /** The request to open the bucket lands after the one that closed it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOptionThatWasRemovedWhileItsRequestWasLateIsRemovedOnceMore(boolean crash) {
        world.close();
        world = new World(Map.of("allowedOptions", "anonymousAccess"));
        claim();
        world.respondLate(LATE);
        world.setOptions(Map.of("anonymousAccess", "rw"));
        world.reconcile();
        world.setOptions(Map.of());
        world.settleFor(World.SECOND);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        if (crash) {
            world.restart();
        }
        world.settle();
        assertThat(world.time.alarms()).as("the store is done").isZero();
        assertThat(world.store.isOpen("photos")).isFalse();
        assertThat(world.store.count("update")).as("late, confirmed, once more").isLessThanOrEqualTo(4);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        int writes = world.writes();
        world.restart();
        world.settle();
        assertThat(world.writes()).as("nothing is left to record").isEqualTo(writes);
    }

    @Test
    void anAccessThatWasRestrictedWhileItsExtensionWasLateIsRestrictedOnceMore() {
        world.close();
        world = new World(Map.of());
        world.reconcile(PHOTOS.additionalConfig(Map.of("accessMode", "ro")));
        world.respondLate(LATE);
        world.setOptions(Map.of("accessMode", "rw"));
        world.reconcile();
        world.setOptions(Map.of("accessMode", "ro"));
        world.settle();
        assertThat(world.store.access("photos")).isEqualTo(AccessMode.READ_ONLY);
    }

    @Test
    void anOptionThatTheStoreConfirmedIsAppliedOnce() {
        world.close();
        world = new World(Map.of("allowedOptions", "anonymousAccess"));
        claim();
        world.settleOptions(Map.of("anonymousAccess", "rw"));
        world.settleOptions(Map.of());
        assertThat(world.store.count("update")).isEqualTo(2);
    }

    /** Whatever the ObjectBucket records: an earlier request may have opened the bucket after it was recorded as closed. */
    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Suspend", "Erase"})
    void aBucketThatIsKeptIsClosedAlsoIfNoOptionIsRecorded(String policy) {
        world.close();
        world = new World(Map.of("reclaimPolicy", policy));
        claim();
        world.store.open("photos");
        world.delete(ObjectBucketClaim.class);
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.isOpen("photos")).isFalse();
    }

    /** A deletion that lands late must not find what a claim created again under the same name. */
    @Test
    void aNameIsNotFreeBeforeADeletionThatTheStoreDidNotConfirmCanNoLongerLand() {
        claim();
        world.respondLate(LATE);
        world.delete(ObjectBucketClaim.class);
        world.settleFor(World.SECOND);
        assertThat(world.store.names()).as("the second attempt has deleted it").isEmpty();
        world.settleFor(LATE);
        assertThat(world.claim()).as("the name is not free yet").isPresent();
        world.settle();
        world.assertNothingLeft();
    }

    /** The tag that releases the bucket is the last request of a retained one. */
    @Test
    void aReleaseThatTheStoreDidNotConfirmIsRepeatedAndWaitedFor() {
        world.close();
        world = new World(Map.of("reclaimPolicy", "Retain"));
        world.store.accessEndsWithin(Duration.ofMinutes(1));
        claim();
        world.delete(ObjectBucketClaim.class);
        world.settleFor(Duration.ofSeconds(59));
        world.respondLate(LATE);
        world.settleFor(Duration.ofSeconds(15));
        assertThat(world.claim()).as("the tag may still be written late").isPresent();
        world.settle();
        assertThat(world.time.alarms()).isZero();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.tag("photos")).startsWith("released:");
    }

    @Test
    void aClaimIsDeletedWithoutWaitingLongAfterAnUnconfirmedRequest() {
        claimLate();
        world.settle();
        world.time.advance(StoreCall.LONGEST_OUTAGE);
        assertDeletedAtOnce();
    }

    @Test
    void theClaimReportsWhatItsDeletionWaitsFor() {
        claimLate();
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        world.assertReady("Deleting", "bucket photos", "30 seconds", "No action is needed");
        int writes = world.writes();
        world.settleFor(Duration.ofSeconds(29));
        assertThat(world.writes()).as("nothing is written while it waits").isEqualTo(writes);
        assertThat(world.store.count("delete")).isEqualTo(1);
        world.settleFor(World.SECOND);
        assertThat(world.store.count("delete")).isEqualTo(2);
        assertThat(world.objects()).isEmpty();
    }

    @Test
    void aClaimThatWasBoundIsDeletedWithoutWaiting() {
        claim();
        world.restart();
        assertDeletedAtOnce();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimWhoseOptionTheStoreRefusedIsDeletedWithoutWaitingIfNobodyElseChangedIt(boolean restarted) {
        world.close();
        world = new World(Map.of("allowedOptions", "policy"));
        claim();
        world.store.failWith("update", () -> new Invalid("The policy is refused."));
        world.setOptions(Map.of("policy", "{}"));
        world.reconcile();
        assertThat(world.ready().getReason()).isEqualTo("OptionsNotApplied");
        if (restarted) {
            world.restart();
        }
        world.noFaults();
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.objects().isEmpty())
                .as("an earlier process may have sent a request that nobody confirmed")
                .isEqualTo(!restarted);
        world.settle();
        assertThat(world.objects()).isEmpty();
    }

    @Test
    void aClaimThatTheStoreRefusedIsDeletedWithoutWaiting() {
        world.store.replace("photos", "somebody");
        claim();
        assertThat(world.ready().getReason()).isEqualTo("BucketTaken");
        world.store.drop("photos");
        assertDeletedAtOnce();
    }

    private void claim() {
        world.reconcile(PHOTOS);
    }

    private void claimLate() {
        world.respondLate(LATE);
        claim();
        assertThat(world.store.names()).isEmpty();
    }

    private void assertDeletedAtOnce() {
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        world.assertNothingLeft();
        assertThat(world.store.count("delete")).isLessThanOrEqualTo(1);
    }

    private void assertNothingIsLeft() {
        world.settle();
        assertThat(world.time.alarms()).as("the store is done").isZero();
        world.assertNothingLeft();
    }
}
