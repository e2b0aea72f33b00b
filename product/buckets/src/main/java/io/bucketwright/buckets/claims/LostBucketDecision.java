package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.Optional;

/**
 * Decides about a claim that was Bound and whose ObjectBucket somebody removed by force. With it, the record of the bucket
 * is lost, and only the name of the user is known: its access is revoked, and the bucket is reported.
 */
record LostBucketDecision(ProvisionerSettings settings, ClaimObservation observed, ObjectBucketClaim claim) {

    private static final String REASON = ClaimReason.OBJECT_BUCKET_MISSING;

    /** A claim that had a bucket never gets another one. */
    static boolean hadBucket(ObjectBucketClaim claim) {
        return claim.phase() == Phase.BOUND || claim.phase() == Phase.RELEASED;
    }

    Decision<ClaimStep> decide() {
        ClaimStatus status = ClaimStatus.released(REASON, message());
        return status.isShownBy(claim)
                ? Decision.done()
                : revoke().orElseGet(() -> status.thenFinish(observed, claim, Result.done()));
    }

    /** The steps before the children of a claim that is being deleted are deleted; empty if there are none left. */
    Optional<Decision<ClaimStep>> decideDeletion() {
        String message = message();
        return revoke().or(() -> message.equals(observed.state().reported())
                ? Optional.empty()
                : Optional.of(Decision.act(new ClaimStep.SendEvent(claim, REASON, message, message))));
    }

    private Optional<Decision<ClaimStep>> revoke() {
        return observed.bucketClass() instanceof ResolvedClass.Usable usable
                        && !observed.state().has(Fact.ACCESS_REVOKED)
                ? Optional.of(observed.unlessBlocked(
                        Operation.REVOKE, attempt -> new ClaimStep.RevokeLost(attempt, usable.bucketClass())))
                : Optional.empty();
    }

    private String message() {
        String user = settings.owner(observed.key().uid()).principal().text();
        String access = observed.bucketClass() instanceof ResolvedClass.Usable
                ? "Access is revoked: user " + user + " is deleted. "
                : "Its class cannot be used, so access is not revoked: delete user " + user + " in the store. ";
        return "The ObjectBucket of this claim no longer exists, and the bucket is not created again. " + access
                + claim.getSpec().bucket().map(name -> "Bucket " + name).orElse("Its bucket")
                + " stays in the store, and nothing in this cluster manages it. Delete the claim, and create a new one if a"
                + " bucket is needed.";
    }
}
