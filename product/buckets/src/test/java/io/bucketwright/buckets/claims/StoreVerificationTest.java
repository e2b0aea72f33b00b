package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.Phase;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** After a claim is Bound, the store is asked slowly whether it still has bucket and user. */
class StoreVerificationTest {

    private static final Duration INTERVAL = Duration.ofHours(6);
    private final World world = new World(Map.of());

    @AfterEach
    void close() {
        world.close();
    }

    private String bind(Duration interval) {
        world.verifyEvery(interval);
        world.restart();
        world.reconcile(photos());
        return world.claimedBucket();
    }

    @Test
    void anUnchangedBucketCostsOneCallAnIntervalAndNoWrite() {
        bind(INTERVAL);
        int writes = world.writes();
        for (int hour = 0; hour < 60; hour++) {
            world.settleFor(Duration.ofHours(1));
        }
        assertThat(world.store.count("verify")).isEqualTo(10);
        assertThat(world.writes()).isEqualTo(writes);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void zeroDisablesIt() {
        bind(Duration.ZERO);
        world.settleFor(Duration.ofDays(30));
        assertThat(world.store.count("verify")).isZero();
    }

    @Test
    void aBucketThatWasDeletedByHandIsReportedOnceAndHealsWhenItIsRestored() {
        String bucket = bind(INTERVAL);
        String owner = world.store.tag(bucket);
        world.store.drop(bucket);
        world.settleFor(INTERVAL);
        assertThat(world.ready().getStatus()).isEqualTo("False");
        assertThat(world.ready().getReason()).isEqualTo("BucketMissing");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        int writes = world.writes();
        for (int i = 0; i < 20; i++) {
            world.settleFor(VerificationDecision.RECHECK);
        }
        assertThat(world.writes()).as("unchanged").isEqualTo(writes);
        assertThat(world.events("BucketMissing")).hasSize(1);
        assertThat(world.store.names()).as("it is not created again").isEmpty();
        world.store.replace(bucket, owner);
        world.settleFor(VerificationDecision.RECHECK);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.ready().getStatus()).isEqualTo("True");
    }

    /** A request that landed late, or somebody in the store, deleted it: applications are refused. */
    @Test
    void aKeyThatWasDeletedInTheStoreIsReportedAndARotationIssuesAnother() {
        bind(INTERVAL);
        world.store.deleteKeys();
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("AccessMissing");
        assertThat(world.ready().getMessage()).contains("The key of the user");
        world.rotate();
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.store.opens(world.published(), world.bucketName())).isTrue();
    }

    @Test
    void aUserThatWasDeletedByHandIsReportedAndARotationCreatesItAgain() {
        String bucket = bind(INTERVAL);
        world.store.deletePrincipals();
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("AccessMissing");
        assertThat(world.store.principals())
                .as("perhaps it was deleted on purpose")
                .isZero();
        world.rotate();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.store.opens(world.published(), bucket)).isTrue();
    }

    @Test
    void aBucketThatAnotherOwnerHasCreatedIsLostAndOutOfReach() {
        String bucket = bind(INTERVAL);
        Secret keys = world.published();
        world.store.replace(bucket, "cluster-1/somebody");
        world.settleFor(INTERVAL);
        assertThat(world.ready().getStatus()).isEqualTo("False");
        assertThat(world.ready().getReason()).isEqualTo("BucketReplaced");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.settleFor(VerificationDecision.CONFIRM);
        assertThat(world.store.opens(keys, bucket))
                .as("the bucket of another owner is out of reach")
                .isFalse();
        assertThat(world.store.count("revoke")).isEqualTo(1);
        assertThat(world.events("BucketReplaced")).hasSize(1);
        int writes = world.writes();
        world.restart();
        for (int i = 0; i < 20; i++) {
            world.settleFor(VerificationDecision.RECHECK);
        }
        assertThat(world.store.count("revoke")).isEqualTo(1);
        assertThat(world.writes()).as("unchanged").isEqualTo(writes);
        assertThat(world.store.tag(bucket)).isEqualTo("cluster-1/somebody");
    }

    /** Some stores answer from a cache for a while, with the tags of an earlier bucket of that name. */
    @Test
    void oneAnswerThatNamesAnotherOwnerEndsNoAccess() {
        String bucket = bind(INTERVAL);
        String own = world.store.tag(bucket);
        world.store.retag(bucket, "cluster-1/earlier");
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).as("reported already").isEqualTo("BucketReplaced");
        world.store.retag(bucket, own);
        for (int i = 0; i < 5; i++) {
            world.settleFor(VerificationDecision.RECHECK);
        }
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.store.opens(world.published(), bucket)).isTrue();
        assertThat(world.store.count("revoke")).isZero();
    }

    @Test
    void neitherARotationNorADeletionTouchesTheBucketOfAnotherOwner() {
        String bucket = bind(Duration.ZERO);
        world.store.replace(bucket, "released:cluster-1/somebody");
        world.rotate();
        assertThat(world.ready().getReason()).isEqualTo("BucketTaken");
        assertThat(world.store.count("grant")).as("also without verification").isZero();
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        assertThat(world.store.principals()).isZero();
        assertThat(world.store.tag(bucket)).isEqualTo("released:cluster-1/somebody");
    }

    /** A snapshot of etcd brings the former uid back. */
    @Test
    void aBucketOfALaterClaimOfTheSameNameComesBackWhenTheClaimIsCreatedAgain() {
        String bucket = bind(INTERVAL);
        world.store.fill(bucket, 3);
        world.store.retag(bucket, "cluster-1/later");
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("BucketReplaced");
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        world.reconcile(spec().bucketName(bucket));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.store.objects(bucket)).isEqualTo(3);
    }

    @Test
    void aUserThatCannotBeDeletedNowIsDeletedLater() {
        String bucket = bind(INTERVAL);
        Secret keys = world.published();
        world.store.replace(bucket, "cluster-2/somebody");
        world.store.failWith("revoke", () -> new Unavailable("the store is down"));
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).as("reported already").isEqualTo("BucketReplaced");
        world.settleFor(VerificationDecision.CONFIRM);
        assertThat(world.store.count("revoke")).isEqualTo(1);
        assertThat(world.store.opens(keys, bucket)).isTrue();
        world.noFaults();
        world.settleFor(Duration.ofMinutes(20));
        assertThat(world.store.opens(keys, bucket)).isFalse();
    }

    @Test
    void theOwnerOfASharedBucketDoesNotMatter() {
        world.close();
        try (World shared = new World(Map.of("bucketName", "photos"))) {
            shared.store.replace("photos", "cluster-1/somebody");
            shared.verifyEvery(INTERVAL);
            shared.restart();
            shared.reconcile(spec());
            shared.settleFor(INTERVAL);
            assertThat(shared.store.count("verify")).isEqualTo(1);
            assertThat(shared.ready().getReason()).isEqualTo("Bound");
            assertThat(shared.store.principals()).isEqualTo(1);
        }
    }

    @Test
    void aRestartConfirmsAReportBeforeItChangesIt() {
        String bucket = bind(INTERVAL);
        String owner = world.store.tag(bucket);
        world.store.drop(bucket);
        world.settleFor(INTERVAL);
        int writes = world.writes();
        long calls = world.store.count("verify");
        world.restart();
        world.reconcile();
        assertThat(world.store.count("verify")).as("asked at once").isEqualTo(calls + 1);
        assertThat(world.writes()).isEqualTo(writes);
        assertThat(world.ready().getReason()).isEqualTo("BucketMissing");
        world.store.failWith(() -> new Unavailable("the store is down"));
        world.restart();
        world.settleFor(Duration.ofMinutes(1));
        assertThat(world.writes()).as("nobody knows").isEqualTo(writes);
        world.noFaults();
        world.store.replace(bucket, owner);
        world.settleFor(Duration.ofMinutes(20));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void aStoreThatDoesNotAnswerIsNoReport() {
        String bucket = bind(INTERVAL);
        int writes = world.writes();
        world.store.failWith(() -> new Unavailable("the store is down"));
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.writes()).isEqualTo(writes);
        world.noFaults();
        world.store.drop(bucket);
        world.settleFor(Duration.ofMinutes(20));
        assertThat(world.ready().getReason())
                .as("asked again after the back-off")
                .isEqualTo("BucketMissing");
    }

    @Test
    void aClaimIsDeletedAlsoIfItsBucketIsMissing() {
        String bucket = bind(INTERVAL);
        world.store.drop(bucket);
        world.settleFor(INTERVAL);
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        assertThat(world.store.principals()).isZero();
    }

    @Test
    void claimsAreSpreadOverTheInterval() {
        Instant now = Instant.parse("2026-11-17T03:00:00Z");
        int[] parts = new int[12];
        IntStream.range(0, 1200).forEach(i -> {
            String uid = UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)})
                    .toString();
            Duration next = VerificationDecision.untilSlot(uid, INTERVAL, now);
            assertThat(next).isPositive().isLessThanOrEqualTo(INTERVAL);
            assertThat(VerificationDecision.untilSlot(uid, INTERVAL, now.plus(next)))
                    .as("always at the same time")
                    .isEqualTo(INTERVAL);
            parts[(int) (next.toMillis() * 12 / (INTERVAL.toMillis() + 1))]++;
        });
        assertThat(IntStream.of(parts).boxed())
                .as("100 in each part, more or less")
                .allMatch(count -> count > 50 && count < 200);
    }

    /** It is verified again after the usual time, not a day later. */
    @Test
    void aClockThatIsSetBackDoesNotStopTheVerification() {
        String bucket = bind(INTERVAL);
        world.settleFor(Duration.ofMinutes(1));
        world.time.setWall(Duration.ofDays(-1));
        world.store.drop(bucket);
        world.settleFor(INTERVAL);
        assertThat(world.ready().getReason()).isEqualTo("BucketMissing");
    }

    @Test
    void anIntervalThatWouldLoadTheStoreIsRejected() {
        assertThatThrownBy(() -> world.verifyEvery(Duration.ofSeconds(59)))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("at least");
    }
}
