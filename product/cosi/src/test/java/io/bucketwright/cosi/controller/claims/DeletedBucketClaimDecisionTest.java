package io.bucketwright.cosi.controller.claims;

import static io.bucketwright.cosi.controller.claims.ReleasedSamples.CREATED;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.bucket;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.claim;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.created;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.deleted;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.reference;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.withoutFinalizer;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletedBucketClaimDecisionTest {

    private static final Instant LATER = CREATED.plus(Duration.ofMinutes(10));

    @ParameterizedTest
    @CsvSource({
        // policy, the bucket existed before, confirmed by annotation, Bucket ready, claim ready, deleted
        "Delete, false, false, true, true, true",
        "Delete, false, false, false, false, true",
        "Retain, false, false, true, true, false",
        "Retain, false, false, true, false, false",
        "delete, false, false, true, true, false",
        "'', false, false, true, true, false",
        // Nobody has ever had access: there is nothing to retain.
        "Retain, false, false, false, false, true",
        "Retain, false, false, false, true, false",
        "Delete, true, false, true, true, false",
        "Delete, true, true, true, true, true",
        "Retain, true, true, true, true, false",
        "Delete, true, false, false, false, false",
        "Retain, true, false, false, false, false"
    })
    void thePolicyDecidesWhetherTheBucketIsDeletedAndABucketThatExistedBeforeNeedsAConfirmation(
            String policy, boolean existed, boolean confirmed, boolean ready, boolean claimReady, boolean isDeleted) {
        BucketClaim claim = deleted(claim(existed ? "archive" : "", claimReady, "archive"));
        ReleasedBucket bucket =
                bucket("archive", reference("team", "photos", "1"), ready, policy, existed ? "old" : "");
        if (confirmed) {
            bucket.getMetadata().setAnnotations(Map.of(ReleasedNames.DELETE_EXISTING_BUCKET, "true"));
        }
        assertThat(decide(claim, bucket, BucketClaimState.NONE))
                .isEqualTo(Decision.act(
                        isDeleted
                                ? new BucketClaimStep.Delete(claim, bucket)
                                : new BucketClaimStep.Release(claim, bucket)));
    }

    @Test
    void theAccessesOfAClaimAreWaitedForAndNamed() {
        BucketClaim claim = deleted(claim("", true, "bucket-1"));
        List<ReleasedBucketAccess> accesses = Stream.of("g", "a", "b", "c", "d", "e", "f")
                .map(name -> ReleasedSamples.access(name, true))
                .toList();
        BucketClaimState waiting =
                BucketClaimState.NONE.waiting(ReleasedReason.IN_USE, BucketClaimDecisionTest.moment(CREATED));
        assertThat(decide(claim, created(true, "Delete"), accesses, BucketClaimState.NONE, LATER))
                .isEqualTo(Decision.act(new BucketClaimStep.Wait(claim, ReleasedReason.IN_USE)));
        assertThat(decide(claim, created(true, "Delete"), accesses, waiting, LATER))
                .isEqualTo(Decision.act(new BucketClaimStep.Report(
                        claim,
                        ReleasedReason.IN_USE,
                        "The deletion waits until these BucketAccesses are deleted: a, b, c, d, e and 2 more.",
                        false)));
    }

    @Test
    void aBucketThatIsBeingDeletedIsLeftToTheSidecar() {
        BucketClaim claim = deleted(claim("", true, "bucket-1"));
        ReleasedBucket bucket = deleted(created(true, "Delete"));
        assertThat(decide(claim, bucket, List.of(), BucketClaimState.NONE, CREATED))
                .isEqualTo(Decision.finish(Result.requeueAfter(GracePeriod.SLOW.length())));
        BucketClaimDecisionTest.assertReported(
                decide(claim, bucket, BucketClaimState.NONE), ReleasedReason.DELETING_BUCKET);
    }

    @Test
    void aClaimWhoseBucketIsGoneEndsAlsoIfNoSidecarRuns() {
        BucketClaim claim = deleted(claim("", true, "bucket-1"));
        assertThat(decide(claim, null, BucketClaimState.NONE))
                .isEqualTo(Decision.act(new BucketClaimStep.Wait(claim, ReleasedReason.DELETING_BUCKET)));
        assertThat(decide(
                        claim,
                        null,
                        BucketClaimState.NONE.waiting(
                                ReleasedReason.DELETING_BUCKET, BucketClaimDecisionTest.moment(CREATED))))
                .isEqualTo(Decision.act(new BucketClaimStep.RemoveFinalizer(claim)));
    }

    @Test
    void aClaimThatNeverHadABucketEndsAtOnceAndTouchesNoBucketOfOthers() {
        BucketClaim fresh = deleted(claim("", false, ""));
        assertThat(decide(fresh, null, BucketClaimState.NONE))
                .isEqualTo(Decision.act(new BucketClaimStep.RemoveFinalizer(fresh)));
        BucketClaim refused = deleted(claim("archive", false, "archive"));
        assertThat(decide(
                        refused,
                        bucket("archive", reference("other", "photos", "9"), true, "Delete", ""),
                        BucketClaimState.NONE))
                .isEqualTo(Decision.act(new BucketClaimStep.RemoveFinalizer(refused)));
    }

    /** The answer of the write that binds a Bucket is lost: the Bucket may be bound although the cache does not show it. */
    @Test
    void aClaimThatMayJustHaveBeenBoundWaitsUntilTheCacheShowsIt() {
        BucketClaim claim = deleted(claim("archive", false, ""));
        ReleasedBucket bucket = bucket("archive", reference("team", "photos", ""), true, "Retain", "old");
        assertThat(decide(claim, bucket, BucketClaimState.NONE))
                .isEqualTo(Decision.act(new BucketClaimStep.Wait(claim, ReleasedReason.DELETING_BUCKET)));
        assertThat(decide(
                        claim,
                        bucket,
                        BucketClaimState.NONE.waiting(
                                ReleasedReason.DELETING_BUCKET, BucketClaimDecisionTest.moment(CREATED))))
                .isEqualTo(Decision.act(new BucketClaimStep.RemoveFinalizer(claim)));
    }

    /** A restored Bucket has no status: that does not mean that nobody ever used its bucket. */
    @Test
    void aRestoredBucketThatIsRetainedIsNotDeletedWithItsClaim() {
        BucketClaim claim = deleted(claim("", false, "bucket-1"));
        ReleasedBucket bucket = created(false, "Retain");
        bucket.getMetadata().setAnnotations(Map.of(ReleasedNames.BUCKET_UID, "former"));
        assertThat(decide(claim, bucket, BucketClaimState.NONE))
                .isEqualTo(Decision.act(new BucketClaimStep.Release(claim, bucket)));
    }

    @Test
    void aClaimWithoutTheFinalizerIsOver() {
        assertThat(decide(
                        withoutFinalizer(deleted(claim("", true, "bucket-1"))),
                        created(true, "Delete"),
                        BucketClaimState.NONE))
                .isEqualTo(Decision.done());
    }

    private static Decision<BucketClaimStep> decide(
            BucketClaim claim, @Nullable ReleasedBucket bucket, BucketClaimState state) {
        return decide(claim, bucket, List.of(), state, LATER);
    }

    private static Decision<BucketClaimStep> decide(
            BucketClaim claim,
            @Nullable ReleasedBucket bucket,
            List<ReleasedBucketAccess> accesses,
            BucketClaimState state,
            Instant now) {
        return new BucketClaimDecision(new BucketClaimObservation(
                        claim,
                        Optional.ofNullable(bucket),
                        Optional.empty(),
                        accesses,
                        state,
                        Optional.empty(),
                        BucketClaimDecisionTest.moment(now),
                        now))
                .decide();
    }
}
