package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a claim's status should say.
 *
 * @param ready whether the bucket can be used
 * @param passing whether the message may differ from try to try, so that it is not worth a write of its own
 */
record Said(Phase phase, boolean ready, String reason, String message, boolean passing) {

    static final String READY = "Ready";

    static Said bound(String bucket) {
        return new Said(Phase.BOUND, true, "Bound", "Bucket " + bucket + " is ready.", false);
    }

    /** Ready, but something about it needs to be told. */
    static Said boundBut(String reason, String message, boolean passing) {
        return new Said(Phase.BOUND, true, reason, message, passing);
    }

    static Said trouble(Trouble trouble, Phase phaseNow) {
        boolean settled = phaseNow == Phase.BOUND || phaseNow == Phase.RELEASED;
        return new Said(
                settled ? phaseNow : trouble.phase(),
                false,
                trouble.reason(),
                trouble.message(),
                !trouble.untilChange());
    }

    /** Says it unless that is said already, then rests. */
    Decision<Step> thenRest(Observed observed, ObjectBucketClaim claim, Result rest) {
        String words = words(claim);
        if (isShownBy(claim) || words.equals(observed.memory().said())) {
            return Decision.finish(rest);
        }
        return Decision.act(
                new Step.SetClaimStatus(observed.key(), claim, phase, condition(claim, observed.now()), words));
    }

    boolean isShownBy(ObjectBucketClaim claim) {
        if (claim.phase() != phase) {
            return false;
        }
        Optional<Condition> shown = shown(claim);
        if (shown.isEmpty()) {
            // A schema without conditions shows no more than the phase; what is well needs no more words.
            return phase == Phase.BOUND && ready && reason.equals("Bound") && hasNoConditions(claim);
        }
        Condition condition = shown.get();
        return condition.getStatus().equals(status())
                && condition.getReason().equals(reason)
                && (passing || condition.getMessage().equals(message))
                && claim.getMetadata().getGeneration().equals(condition.getObservedGeneration());
    }

    private Condition condition(ObjectBucketClaim claim, Instant now) {
        String since = shown(claim)
                .filter(old -> old.getStatus().equals(status()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(READY)
                .withStatus(status())
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .withObservedGeneration(claim.getMetadata().getGeneration())
                .build();
    }

    private String words(ObjectBucketClaim claim) {
        return phase + " " + ready + " " + reason + " " + (passing ? "" : message) + " "
                + claim.getMetadata().getGeneration();
    }

    private String status() {
        return ready ? "True" : "False";
    }

    private static boolean hasNoConditions(ObjectBucketClaim claim) {
        @Nullable BucketStatus status = claim.getStatus();
        return status != null
                && (status.conditions() == null || status.conditions().isEmpty());
    }

    private static Optional<Condition> shown(ObjectBucketClaim claim) {
        return Optional.ofNullable(claim.getStatus()).flatMap(status -> status.condition(READY));
    }
}
