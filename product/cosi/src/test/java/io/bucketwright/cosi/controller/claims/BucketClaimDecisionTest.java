package io.bucketwright.cosi.controller.claims;

import static io.bucketwright.cosi.controller.claims.ReleasedSamples.CREATED;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.bucket;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.bucketClass;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.claim;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.created;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.deleted;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.reference;
import static io.bucketwright.cosi.controller.claims.ReleasedSamples.withoutFinalizer;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.Grantee;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketClaimDecisionTest {

    private static final Instant LATER = CREATED.plus(Duration.ofMinutes(10));
    private static final ReleasedBucketClass GOLD = bucketClass("driver.test");

    @Test
    void aNewClaimGetsItsFinalizerThenItsStatusThenItsBucket() {
        BucketClaim first = withoutFinalizer(claim("", false, ""));
        assertThat(decide(first, null)).isEqualTo(Decision.act(new BucketClaimStep.Protect(first)));
        BucketClaim second = claim("", false, "");
        assertThat(decide(second, null))
                .isEqualTo(Decision.act(new BucketClaimStep.UpdateStatus(second, "bucket-1", false)));
        BucketClaim third = claim("", false, "bucket-1");
        assertThat(decide(third, null)).isEqualTo(Decision.act(new BucketClaimStep.Create(third, GOLD)));
    }

    @Test
    void aClaimThatIsTooLargeIsReportedAndNothingIsCreated() {
        BucketClaim claim = withoutFinalizer(claim("", false, ""));
        ObjectSize.markTooLarge(claim.getMetadata());
        assertReported(decide(claim, null), Problem.TOO_LARGE);
    }

    @Test
    void aNameThatAFormerVersionReservedIsReplacedBeforeTheBucketIsCreated() {
        BucketClaim claim = claim("", false, "gold1");
        assertThat(decide(claim, null))
                .isEqualTo(Decision.act(new BucketClaimStep.UpdateStatus(claim, "bucket-1", false)));
    }

    @Test
    void aClaimWhoseBucketIsNotReadyWaitsAndReportsItAfterAWhile() {
        BucketClaim claim = claim("", false, "bucket-1");
        assertThat(decide(claim, created(false, "Delete"), BucketClaimState.NONE, CREATED))
                .isEqualTo(Decision.finish(Result.requeueAfter(GracePeriod.SLOW.length())));
        assertReported(decide(claim, created(false, "Delete")), ReleasedReason.WAITING_FOR_PROVISIONER);
    }

    @Test
    void theReadyStateOfTheBucketIsCopiedIfNobodyElseDoesIt() {
        BucketClaim claim = claim("", false, "bucket-1");
        ReleasedBucket bucket = created(true, "Delete");
        assertThat(decide(claim, bucket))
                .isEqualTo(Decision.act(new BucketClaimStep.Wait(claim, ReleasedReason.BOUND)));
        BucketClaimState waiting = BucketClaimState.NONE.waiting(ReleasedReason.BOUND, moment(LATER));
        assertThat(decide(claim, bucket, waiting, LATER))
                .isEqualTo(Decision.finish(Result.requeueAfter(GracePeriod.OBSERVED.length())));
        assertThat(decide(claim, bucket, waiting, LATER.plus(GracePeriod.OBSERVED.length())))
                .isEqualTo(Decision.act(new BucketClaimStep.UpdateStatus(claim, "bucket-1", true)));
    }

    @Test
    void aReadyClaimStaysReadyWhileItsBucketIsNot() {
        assertReported(
                decide(claim("", true, "bucket-1"), created(false, "Delete")), ReleasedReason.WAITING_FOR_PROVISIONER);
        BucketClaim unnamed = claim("", true, "");
        assertThat(decide(unnamed, created(false, "Delete")))
                .isEqualTo(Decision.act(new BucketClaimStep.UpdateStatus(unnamed, "bucket-1", true)));
    }

    @Test
    void aReadyClaimThatLostItsFinalizerGetsItAgain() {
        BucketClaim claim = withoutFinalizer(claim("", true, "bucket-1"));
        assertThat(decide(claim, created(true, "Delete"))).isEqualTo(Decision.act(new BucketClaimStep.Protect(claim)));
    }

    @Test
    void nothingIsLeftToDoForAReadyClaimAndItIsReportedOnlyByTheProcessThatSawItBefore() {
        BucketClaim claim = claim("", true, "bucket-1");
        ReleasedBucket bucket = created(true, "Delete");
        assertThat(decide(claim, bucket)).isEqualTo(Decision.done());
        assertThat(decide(claim, bucket, BucketClaimState.NONE.progressed(true), LATER))
                .isEqualTo(Decision.act(new BucketClaimStep.ReportReady(claim, bucket)));
    }

    @ParameterizedTest
    @CsvSource({
        "team, photos, 1, ",
        "team, photos, '', Bind",
        "team, '', '', Bind",
        "team, photos, 0, BucketAlreadyBound",
        "team, other, '', BucketAlreadyBound",
        "other, photos, '', BucketAlreadyBound",
        "other, photos, 9, BucketAlreadyBound",
        "other, '', '', BucketAlreadyBound",
        "'', photos, '', BucketAlreadyBound",
        "'', '', '', BucketNotReserved"
    })
    void anExistingBucketIsBoundOnlyToTheClaimThatItNames(
            String namespace, String name, String uid, @Nullable String expected) {
        BucketClaim claim = claim("archive", false, "");
        ReleasedBucket bucket = bucket("archive", reference(namespace, name, uid), true, "Retain", "old");
        Decision<BucketClaimStep> decision = decide(claim, bucket);
        if (expected == null) {
            assertThat(decision).isEqualTo(Decision.act(new BucketClaimStep.UpdateStatus(claim, "archive", true)));
        } else if (expected.equals("Bind")) {
            assertThat(decision).isEqualTo(Decision.act(new BucketClaimStep.Bind(claim, bucket)));
        } else {
            assertReported(decision, expected);
        }
    }

    /** cosi.io has a kind of the same name. */
    @Test
    void theCommandThatReservesABucketNamesTheApiGroup() {
        ReleasedBucket bucket = bucket("archive", reference("", "", ""), true, "Retain", "old");
        assertThat(decide(claim("archive", false, ""), bucket).toString())
                .contains("kubectl patch bucket.objectstorage.k8s.io archive --type merge");
    }

    /** Its former applications would read and write what the next tenant stores. */
    @ParameterizedTest
    @CsvSource({"'', false, ", "'', true, team/viewer", "LEDGER, false, former/viewer", "unreadable, false, unknown"})
    void aBucketIsHandedOverOnlyWhenNobodyHasAccess(String ledger, boolean granted, @Nullable String holder) {
        Instant now = LATER.truncatedTo(ChronoUnit.SECONDS);
        Grant grant =
                Grant.issuing("1", new Grantee("former", "viewer", "9"), new Grant.Account("ba-9", "", Map.of()), now);
        BucketClaim claim = claim("archive", false, "");
        ReleasedBucket bucket = bucket("archive", reference("team", "photos", ""), true, "Retain", "old");
        bucket.getMetadata()
                .setAnnotations(Map.of(
                        ReleasedNames.GRANTS,
                        ledger.equals("LEDGER") ? GrantLedgerCodec.encode(GrantLedger.EMPTY.with(grant)) : ledger));
        Decision<BucketClaimStep> decision = decide(claim, bucket, List.of(ReleasedSamples.access("viewer", granted)));
        if (holder == null) {
            assertThat(decision).isEqualTo(Decision.act(new BucketClaimStep.Bind(claim, bucket)));
        } else {
            assertReported(decision, ReleasedReason.FORMER_ACCESS);
            assertThat(decision.toString()).contains(holder);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // recorded uid, confirmed uid: the Bucket has uid 2
        "former, , BucketRestored",
        "former, 2, BucketRestored",
        "2, 2, Bind",
        "2, former, BucketAlreadyBound",
        "2, , BucketAlreadyBound",
    })
    void aRestoredBucketIsBoundAgainWhenAnAdministratorHasConfirmedIt(
            String recorded, @Nullable String confirmed, String expected) {
        BucketClaim claim = claim("", false, "");
        ReleasedBucket bucket = bucket("bucket-0", reference("team", "photos", "0"), true, "Retain", "");
        Map<String, String> annotations = new HashMap<>(Map.of(ReleasedNames.BUCKET_UID, recorded));
        if (confirmed != null) {
            annotations.put(ReleasedNames.USE_RESTORED, confirmed);
        }
        bucket.getMetadata().setAnnotations(annotations);
        Decision<BucketClaimStep> decision = decide(claim, bucket);
        if (expected.equals("Bind")) {
            assertThat(decision).isEqualTo(Decision.act(new BucketClaimStep.Bind(claim, bucket)));
        } else {
            assertReported(decision, expected);
        }
    }

    @Test
    void aClaimThatIsBoundToARestoredBucketSaysSo() {
        ReleasedBucket bucket = created(false, "Retain");
        bucket.getMetadata().setAnnotations(Map.of(ReleasedNames.BUCKET_UID, "former"));
        assertReported(decide(claim("", true, "bucket-1"), bucket), ReleasedReason.BUCKET_RESTORED);
    }

    @Test
    void aClaimThatIsBoundKeepsItsBucketWhateverItsSpecNamesNow() {
        assertThat(decide(claim("another", true, "bucket-1"), created(true, "Delete")))
                .isEqualTo(Decision.done());
    }

    @Test
    void aBucketOfTheNameOfANewOneThatDoesNotNameTheClaimIsNotUsed() {
        assertReported(
                decide(
                        claim("", false, "bucket-1"),
                        bucket("bucket-1", reference("team", "photos", ""), true, "Delete", "")),
                ReleasedReason.BUCKET_ALREADY_BOUND);
    }

    @Test
    void whatIsMissingIsReportedOnceTheClaimIsOldEnough() {
        BucketClaim noClass = claim("", false, "");
        assertThat(new BucketClaimDecision(view(noClass, null, null, CREATED)).decide())
                .isEqualTo(Decision.finish(Result.requeueAfter(GracePeriod.OBSERVED.length())));
        assertReported(
                new BucketClaimDecision(view(noClass, null, null, LATER)).decide(),
                ReleasedReason.BUCKET_CLASS_NOT_FOUND);
        assertReported(decide(claim("archive", false, ""), null), ReleasedReason.BUCKET_NOT_FOUND);
        assertReported(
                new BucketClaimDecision(view(noClass, bucketClass(""), null, LATER)).decide(),
                ReleasedReason.FAILED_CREATE_BUCKET);
    }

    @Test
    void aBucketThatWasReadyAndIsGoneIsNotCreatedAgain() {
        BucketClaim claim = claim("", true, "bucket-1");
        BucketClaimState waited = BucketClaimState.NONE.waiting(ReleasedReason.BUCKET_DELETED, moment(CREATED));
        assertReported(decide(claim, null, waited, LATER), ReleasedReason.BUCKET_DELETED);
        assertReported(decide(claim, deleted(created(true, "Delete"))), ReleasedReason.BUCKET_DELETION_IN_PROGRESS);
    }

    @Test
    void aReportIsMadeOnce() {
        BucketClaim claim = claim("archive", false, "");
        Decision<BucketClaimStep> first = decide(claim, null);
        assertThat(first).isInstanceOfSatisfying(Decision.Act.class, act -> {
            BucketClaimStep.Report report = (BucketClaimStep.Report) act.step();
            assertThat(decide(claim, null, BucketClaimState.NONE.reported(report.reason(), report.message()), LATER))
                    .isEqualTo(Decision.finish(Result.requiresChange(report.message())));
        });
    }

    @Test
    void aRefusedCreationIsReportedAndRetriedLater() {
        BucketClaim claim = claim("", false, "bucket-1");
        assertReported(
                new BucketClaimDecision(view(claim, GOLD, refused(Duration.ofSeconds(5)), LATER)).decide(),
                ReleasedReason.FAILED_CREATE_BUCKET);
        assertThat(new BucketClaimDecision(view(claim, GOLD, refused(Duration.ZERO), LATER)).decide())
                .isEqualTo(Decision.act(new BucketClaimStep.Create(claim, GOLD)));
    }

    static Moment moment(Instant time) {
        return new Moment(Duration.between(CREATED, time).toNanos());
    }

    private static FailedAttempt refused(Duration retryIn) {
        return new FailedAttempt(
                BucketClaimDecision.CREATE,
                BucketClaimDecision.inputs(GOLD),
                Problem.requiresUnwatchedChange(ReleasedReason.FAILED_CREATE_BUCKET, "quota"),
                1,
                retryIn);
    }

    static void assertReported(Decision<BucketClaimStep> decision, String reason) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(act.step())
                                .isInstanceOfSatisfying(
                                        BucketClaimStep.Report.class,
                                        report -> assertThat(report.reason()).isEqualTo(reason)));
    }

    private static Decision<BucketClaimStep> decide(BucketClaim claim, @Nullable ReleasedBucket bucket) {
        return decide(claim, bucket, BucketClaimState.NONE, LATER);
    }

    private static Decision<BucketClaimStep> decide(
            BucketClaim claim, ReleasedBucket bucket, List<ReleasedBucketAccess> accesses) {
        return decide(claim, bucket, accesses, BucketClaimState.NONE, LATER);
    }

    private static Decision<BucketClaimStep> decide(
            BucketClaim claim, @Nullable ReleasedBucket bucket, BucketClaimState state, Instant now) {
        return decide(claim, bucket, List.of(), state, now);
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
                        Optional.of(GOLD),
                        accesses,
                        state,
                        Optional.empty(),
                        moment(now),
                        now))
                .decide();
    }

    private static BucketClaimObservation view(
            BucketClaim claim,
            @Nullable ReleasedBucketClass bucketClass,
            @Nullable FailedAttempt failure,
            Instant now) {
        return new BucketClaimObservation(
                claim,
                Optional.empty(),
                Optional.ofNullable(bucketClass),
                List.of(),
                BucketClaimState.NONE,
                Optional.ofNullable(failure),
                moment(now),
                now);
    }
}
