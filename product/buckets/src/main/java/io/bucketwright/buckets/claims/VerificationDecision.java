package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.MissingPart;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when the store is asked whether it still has the bucket and the user of a bound claim, and what the claim reports.
 * Nothing is created again: what an administrator removed in the store was perhaps removed on purpose. A bucket that has
 * another owner now is not used and not changed; the user of this claim is deleted, because its policy names that bucket.
 *
 * @param interval zero if the store is not asked
 */
record VerificationDecision(
        ClaimObservation observed, ObjectBucketClaim claim, RecordedBucket bucket, Duration interval) {

    private static final Set<String> REASONS = Set.of(
            ClaimReason.BUCKET_MISSING,
            ClaimReason.BUCKET_REPLACED,
            ClaimReason.ACCESS_MISSING,
            ClaimReason.TAGS_MISSING);

    /** The delay before the next verification while something is missing. */
    static final Duration RECHECK = Duration.ofMinutes(5);

    /** The delay before another owner is confirmed by a second verification. */
    static final Duration CONFIRM = Duration.ofMinutes(1);

    /**
     * The schedule and the last result of verifying that the store still has what a bound claim needs, in this leadership term.
     *
     * @param next when to verify; empty if not scheduled yet
     * @param missing what the store lacked at the last verification; empty if there was none
     * @param confirmed whether the last two verifications found another owner
     */
    record Verification(Optional<Moment> next, Optional<Set<MissingPart>> missing, boolean confirmed) {

        static final Verification NONE = new Verification(Optional.empty(), Optional.empty(), false);

        /** Schedules the first verification of the claim. */
        static Verification scheduled(Duration interval, ClaimObservation now) {
            Moment next = now.moment().plus(untilSlot(now.key().uid(), interval, now.now()));
            return new Verification(Optional.of(next), Optional.empty(), false);
        }

        /** The state after a verification that found these parts missing. */
        Verification answered(Set<MissingPart> parts, Duration interval, ClaimObservation asked) {
            boolean replaced = parts.contains(MissingPart.OWNERSHIP);
            boolean again = replaced && isReplaced();
            Duration slot = untilSlot(asked.key().uid(), interval, asked.now());
            Duration soon = replaced && !again ? CONFIRM : RECHECK;
            return new Verification(
                    Optional.of(asked.moment().plus(parts.isEmpty() || slot.compareTo(soon) < 0 ? slot : soon)),
                    Optional.of(Set.copyOf(parts)),
                    again);
        }

        /**
         * The bucket has another owner, and the user of this claim could still have access to it. One answer is not enough:
         * stores that answer from a cache can name the owner of an earlier bucket of that name for a while.
         */
        boolean isExposed() {
            return confirmed
                    && missing.filter(parts ->
                                    !parts.contains(MissingPart.PRINCIPAL) && !parts.contains(MissingPart.ACCESS))
                            .isPresent();
        }

        private boolean isReplaced() {
            return missing.filter(parts -> parts.contains(MissingPart.OWNERSHIP))
                    .isPresent();
        }

        /** After the user of the claim was deleted. */
        Verification revoked() {
            Set<MissingPart> parts = EnumSet.of(MissingPart.PRINCIPAL);
            missing.ifPresent(parts::addAll);
            return new Verification(next, Optional.of(Set.copyOf(parts)), confirmed);
        }

        boolean isDue(Moment now) {
            return next.filter(time -> !now.since(time).isNegative()).isPresent();
        }
    }

    /** The next step; empty if the store need not be asked now. */
    Optional<Decision<ClaimStep>> step() {
        if (!interval.isPositive() || blocked().isPresent()) {
            return Optional.empty();
        }
        Verification known = observed.state().verification();
        if (known.isDue(observed.moment()) || (known.missing().isEmpty() && isReported())) {
            return Optional.of(Decision.act(new ClaimStep.Verify(observed.attempt(Operation.VERIFY), interval)));
        }
        if (known.isExposed()) {
            return Optional.of(Decision.act(new ClaimStep.RevokeReplaced(observed.attempt(Operation.VERIFY))));
        }
        return known.next().isPresent()
                ? Optional.empty()
                : Optional.of(
                        Decision.act(new ClaimStep.ScheduleVerification(Verification.scheduled(interval, observed))));
    }

    /** How long until the claim has to be looked at again; empty if the store is not asked. */
    Optional<Duration> nextTime() {
        return interval.isPositive()
                ? blocked()
                        .map(FailedAttempt::delay)
                        .or(() -> observed.state().verification().next().map(next -> next.since(observed.moment())))
                : Optional.empty();
    }

    /** Whether the claim shows a result of an earlier term that this process has not been able to confirm. */
    boolean isUnconfirmed() {
        return interval.isPositive()
                && isReported()
                && observed.state().verification().missing().isEmpty();
    }

    /** What the claim reports instead of Bound; empty if nothing is missing. */
    Optional<ClaimStatus> status() {
        return observed.state()
                .verification()
                .missing()
                .filter(missing -> interval.isPositive() && !missing.isEmpty())
                .map(this::problem)
                .map(problem -> ClaimStatus.of(problem, Phase.BOUND));
    }

    private Problem problem(Set<MissingPart> missing) {
        String name = bucket.intent().bucketName();
        if (missing.contains(MissingPart.BUCKET)) {
            return Problem.requiresUnwatchedChange(
                    ClaimReason.BUCKET_MISSING,
                    "Bucket " + name
                            + " no longer exists in the store; somebody deleted it there. It is not created again,"
                            + " because its objects are lost. Restore it, or delete the claim and create a new one.");
        }
        if (missing.contains(MissingPart.OWNERSHIP)) {
            return Problem.requiresUnwatchedChange(
                    ClaimReason.BUCKET_REPLACED,
                    "Bucket " + name
                            + " in the store belongs to another owner: somebody deleted the bucket of this claim, and another"
                            + " one of its name was created, or the bucket was given to another claim or cluster. The"
                            + " controller revokes the access of this claim, and does not change or delete the bucket. Delete"
                            + " the claim, and create a new one with another bucketName.");
        }
        if (missing.equals(Set.of(MissingPart.TAGS))) {
            return Problem.requiresUnwatchedChange(
                    ClaimReason.TAGS_MISSING,
                    "Bucket " + name
                            + " has no ownership tags any more; somebody replaced its tags in the store. The bucket works."
                            + " When the claim is deleted, the bucket is left alone. An administrator adds the tags again.");
        }
        return Problem.requiresUnwatchedChange(
                ClaimReason.ACCESS_MISSING,
                (missing.contains(MissingPart.PRINCIPAL)
                                ? "The user"
                                : missing.contains(MissingPart.KEY) ? "The key of the user" : "The policy of the user")
                        + " of this claim no longer exists in the store; somebody deleted it there. Bucket " + name
                        + " exists. If it was deleted by mistake, run `bucketwright claim rotate`, which creates the user,"
                        + " the policy and the keys again.");
    }

    private Optional<FailedAttempt> blocked() {
        return observed.blocking(Operation.VERIFY);
    }

    private boolean isReported() {
        return ReadyCondition.find(ClaimStatus.conditions(claim))
                .map(Condition::getReason)
                .filter(REASONS::contains)
                .isPresent();
    }

    /**
     * Each claim has its own times, computed from its uid: neither a start nor many claims cause a burst, and processes that
     * restart often do not skip the verification. The delay to the next one counts on the monotonic clock.
     */
    static Duration untilSlot(String uid, Duration interval, Instant now) {
        long period = interval.toMillis();
        long phase = Math.floorMod(uid.hashCode() * 2_654_435_761L, period);
        long passed = Math.floorMod(now.toEpochMilli() - phase, period);
        return Duration.ofMillis(period - passed);
    }
}
