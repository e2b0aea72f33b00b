package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Recovery;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The phase and the Ready condition of a claim. */
record ClaimStatus(Phase phase, ReadyCondition ready) {

    private static final String BOUND = ClaimReason.BOUND;

    static ClaimStatus bound(String bucket) {
        return new ClaimStatus(Phase.BOUND, ReadyCondition.ready(BOUND, "Bucket " + bucket + " is ready."));
    }

    /** The bucket is ready, but its owner needs to know about something. */
    static ClaimStatus boundWithWarning(String reason, String message) {
        return new ClaimStatus(
                Phase.BOUND, ReadyCondition.ready(reason, message).informational(false));
    }

    /** The same, with a message that begins with the good news. */
    static ClaimStatus readyBut(String reason, String message) {
        return boundWithWarning(reason, "The bucket is ready. " + message);
    }

    static ClaimStatus of(Problem problem, Phase current) {
        boolean keepsPhase = current == Phase.BOUND || current == Phase.RELEASED;
        Phase failed = problem.recovery() == Recovery.RETRY ? Phase.PENDING : Phase.FAILED;
        return new ClaimStatus(keepsPhase ? current : failed, ReadyCondition.of(problem));
    }

    static ClaimStatus released(String reason, String message) {
        return new ClaimStatus(Phase.RELEASED, ReadyCondition.stalled(reason, message));
    }

    /** The same, with a message that can differ from attempt to attempt. */
    ClaimStatus varying() {
        return new ClaimStatus(phase, ready.varying());
    }

    boolean isBound() {
        return ready.ready() && ready.reason().equals(BOUND);
    }

    /** Writes the status unless the claim already shows it, then finishes with that result. */
    Decision<ClaimStep> thenFinish(ClaimObservation observed, ObjectBucketClaim claim, Result result) {
        return write(observed, claim).orElse(Decision.finish(result));
    }

    /** Writes the status; empty if the claim already shows it. */
    Optional<Decision<ClaimStep>> write(ClaimObservation observed, ObjectBucketClaim claim) {
        return isShownBy(claim) || summary(claim).equals(observed.state().reported())
                ? Optional.empty()
                : Optional.of(Decision.act(new ClaimStep.SetClaimStatus(claim, this)));
    }

    Map<String, ?> fields(ObjectBucketClaim claim, Instant now) {
        return Map.of(
                "phase", phase.text(),
                "conditions", ready.replaceIn(conditions(claim), claim, now),
                "observedGeneration", claim.getMetadata().getGeneration());
    }

    /** The status as one text, remembered in case the schema drops conditions. */
    String summary(ObjectBucketClaim claim) {
        return phase + " " + ready.ready() + " " + ready.reason() + " "
                + (ready.messageVaries() ? "" : ready.message()) + " "
                + claim.getMetadata().getGeneration();
    }

    boolean isShownBy(ObjectBucketClaim claim) {
        @Nullable List<Condition> conditions = conditions(claim);
        // A schema without conditions shows only the phase, which is enough for Bound.
        boolean phaseIsEnough = isBound() && (conditions == null || conditions.isEmpty());
        return claim.phase() == phase && (phaseIsEnough || ready.isReportedIn(conditions, claim));
    }

    static @Nullable List<Condition> conditions(ObjectBucketClaim claim) {
        @Nullable BucketStatus status = claim.getStatus();
        return status == null ? null : status.conditions();
    }
}
