package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.StoreCall;
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
