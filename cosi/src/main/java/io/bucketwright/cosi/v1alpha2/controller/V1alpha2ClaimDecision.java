package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.util.List;
import java.util.Optional;

/** The rules for a BucketClaim of v1alpha2. Pure. */
final class V1alpha2ClaimDecision {

    private final V1alpha2ClaimView view;
    private final V1alpha2Claim claim;

    private V1alpha2ClaimDecision(V1alpha2ClaimView view) {
        this.view = view;
        this.claim = view.claim();
    }

    static Decision<V1alpha2ClaimStep> decide(V1alpha2ClaimView view) {
        V1alpha2ClaimDecision decision = new V1alpha2ClaimDecision(view);
        return Metadata.isBeingDeleted(view.claim()) ? decision.delete() : decision.bind();
    }

    private Decision<V1alpha2ClaimStep> bind() {
        Optional<Problem> tooLarge = Problem.ofSize(claim);
        if (tooLarge.isPresent()) {
            return error(tooLarge.get().message());
        }
        if (!Metadata.hasFinalizer(claim, V1alpha2Names.FINALIZER)) {
            return Decision.act(new V1alpha2ClaimStep.AddFinalizer(claim));
        }
        if (view.bucket().isEmpty()) {
            return withoutBucket();
        }
        V1alpha2Bucket bucket = view.bucket().get();
        String name = bucket.getMetadata().getName();
        if (!bucket.claim().permits(claim)) {
            return error(
                    "Bucket " + name + " is not for this BucketClaim. An administrator reserves it with the claim's"
                            + " namespace and name in spec.bucketClaimRef, without a uid.");
        }
        if (!bucket.claim().isBoundTo(claim)) {
            return Decision.act(new V1alpha2ClaimStep.BindBucket(claim, bucket));
        }
        if (claim.status().readyToUse()) {
            // A claim that was ready stays ready.
            return status(name, true, claim.status().protocols(), "", Result.done());
        }
        return bucket.status().readyToUse() && !Metadata.isBeingDeleted(bucket)
                ? status(name, true, bucket.status().protocols(), "", Result.done())
                : status(
                        name,
                        false,
                        List.of(),
                        StatusError.messageOf(bucket.status().error()),
                        Result.pending());
    }

    private Decision<V1alpha2ClaimStep> withoutBucket() {
        String existing = claim.spec().existingBucketName();
        if (!existing.isEmpty()) {
            return error("Bucket " + SafeText.quoted(existing) + " does not exist. An administrator creates it.");
        }
        if (!claim.status().boundBucketName().isEmpty()) {
            return error(
                    "Bucket " + claim.status().boundBucketName() + " was deleted. It is not created again, because its"
                            + " data may be lost. Create another BucketClaim.");
        }
        return view.bucketClass()
                .<Decision<V1alpha2ClaimStep>>map(
                        found -> Decision.act(new V1alpha2ClaimStep.CreateBucket(claim, found)))
                .orElseGet(() -> error("BucketClass "
                        + SafeText.quoted(claim.spec().bucketClassName()) + " does not exist. Create it."));
    }

    private Decision<V1alpha2ClaimStep> delete() {
        if (!Metadata.hasFinalizer(claim, V1alpha2Names.FINALIZER)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            return error(
                    "The BucketClaim is in use. Delete BucketAccess " + String.join(", ", view.accesses()) + " first.");
        }
        if (claim.status().readyToUse()) {
            return status(claim.status().boundBucketName(), false, List.of(), "", Result.pending());
        }
        if (view.bucket().filter(bucket -> bucket.claim().isBoundTo(claim)).isEmpty()) {
            return Decision.act(new V1alpha2ClaimStep.RemoveFinalizer(claim, true));
        }
        V1alpha2Bucket bucket = view.bucket().get();
        if (!Metadata.annotations(bucket).containsKey(V1alpha2Names.CLAIM_BEING_DELETED)) {
            return Decision.act(new V1alpha2ClaimStep.AnnotateBucket(bucket));
        }
        if (!bucket.spec().deletionPolicy().equals(V1alpha2Names.DELETE)) {
            return Decision.act(new V1alpha2ClaimStep.RemoveFinalizer(claim, false));
        }
        return Metadata.isBeingDeleted(bucket)
                ? status(
                        claim.status().boundBucketName(),
                        false,
                        List.of(),
                        StatusError.messageOf(bucket.status().error()),
                        Result.pending())
                : Decision.act(new V1alpha2ClaimStep.DeleteBucket(bucket));
    }

    private Decision<V1alpha2ClaimStep> error(String message) {
        return status(
                claim.status().boundBucketName(),
                claim.status().readyToUse(),
                claim.status().protocols(),
                message,
                Result.pending());
    }

    /** Writes the status unless it is so, then finishes with the result. */
    private Decision<V1alpha2ClaimStep> status(
            String bucket, boolean ready, List<String> protocols, String error, Result result) {
        V1alpha2Claim.ClaimStatus now = claim.status();
        boolean same = now.boundBucketName().equals(bucket)
                && now.readyToUse() == ready
                && now.protocols().equals(protocols)
                && StatusError.messageOf(now.error()).equals(error);
        return same
                ? Decision.finish(result)
                : Decision.act(new V1alpha2ClaimStep.WriteStatus(claim, bucket, ready, protocols, error));
    }
}
