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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The phase and the Ready condition of a claim.
 *
 * @param ready whether the bucket can be used
 * @param transientMessage whether the message may differ between attempts: a different one alone is not written
 */
record ClaimStatus(Phase phase, boolean ready, String reason, String message, boolean transientMessage) {

    static final String READY = "Ready";
    private static final String BOUND = "Bound";

    static ClaimStatus bound(String bucket) {
        return boundWith(BOUND, "Bucket " + bucket + " is ready.", false);
    }

    /** The bucket is ready, but its owner needs to know about something. */
    static ClaimStatus boundWith(String reason, String message, boolean transientMessage) {
        return new ClaimStatus(Phase.BOUND, true, reason, message, transientMessage);
    }

    static ClaimStatus of(Problem problem, Phase current) {
        boolean requiresChange = problem.recovery() == Problem.Recovery.CHANGE;
        Phase failed = problem.recovery() == Problem.Recovery.RETRY ? Phase.PENDING : Phase.FAILED;
        boolean keepsPhase = current == Phase.BOUND || current == Phase.RELEASED;
        return new ClaimStatus(
                keepsPhase ? current : failed, false, problem.reason(), problem.message(), !requiresChange);
    }

    static ClaimStatus released(String reason, String message) {
        return new ClaimStatus(Phase.RELEASED, false, reason, message, false);
    }

    boolean isBound() {
        return ready && reason.equals(BOUND);
    }

    /** Writes the status unless the claim already shows it, then finishes with that result. */
    Decision<ClaimStep> thenFinish(ClaimObservation observed, ObjectBucketClaim claim, Result result) {
        if (isShownBy(claim) || summary(claim).equals(observed.state().reported())) {
            return Decision.finish(result);
        }
        return Decision.act(new ClaimStep.SetClaimStatus(observed.key(), claim, this));
    }

    Map<String, ?> fields(ObjectBucketClaim claim, Instant now) {
        return Map.of(
                "phase", phase.text(),
                "conditions", conditions(claim, now),
                "observedGeneration", claim.getMetadata().getGeneration());
    }

    /** The status as one text, remembered in case the schema drops conditions. */
    String summary(ObjectBucketClaim claim) {
        return phase + " " + ready + " " + reason + " " + (transientMessage ? "" : message) + " "
                + claim.getMetadata().getGeneration();
    }

    private boolean isShownBy(ObjectBucketClaim claim) {
        if (claim.phase() != phase) {
            return false;
        }
        Optional<Condition> shown = shown(claim);
        if (shown.isEmpty()) {
            // A schema without conditions shows only the phase, which is enough for Bound.
            return phase == Phase.BOUND && isBound() && hasNoConditions(claim);
        }
        Condition condition = shown.get();
        return condition.getStatus().equals(status())
                && condition.getReason().equals(reason)
                && (transientMessage || condition.getMessage().equals(message))
                && claim.getMetadata().getGeneration().equals(condition.getObservedGeneration());
    }

    private List<Condition> conditions(ObjectBucketClaim claim, Instant now) {
        List<Condition> all = new ArrayList<>();
        @Nullable BucketStatus status = claim.getStatus();
        if (status != null && status.conditions() != null) {
            status.conditions().stream()
                    .filter(condition -> !READY.equals(condition.getType()))
                    .forEach(all::add);
        }
        all.add(condition(claim, now));
        return all;
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
