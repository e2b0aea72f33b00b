package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.buckets.requests.ClaimOptions;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/** The warnings of a claim that is Bound. */
record BoundClaimStatus(ClaimObservation observed, RecordedBucket bucket, RotationRequest rotation) {

    /**
     * Whether new credentials have to wait: a principal has at most two keys, and both are in use. Others may have edited the
     * Secret, or the claim renames its keys. A Secret that no longer exists cannot wait.
     */
    boolean isDeferred(ClaimOptions options) {
        return bucket.isOverlap(observed.now())
                && observed.state().provisioned().isEmpty()
                && observed.secret() instanceof ChildObject.Owned<Secret> secret
                && !secret.isBeingDeleted()
                && !(bucket.matches(secret) && bucket.uses(options.renames()));
    }

    static boolean lacksEncryption(ClaimOptions options, boolean secure) {
        return options.encrypted() && !secure;
    }

    static ClaimStatus formerOptions(Problem problem) {
        ClaimStatus status = ClaimStatus.boundWithWarning(
                "OptionsNotApplied", "The bucket is ready, with its former options: " + problem.message());
        return problem.isRetried() ? status.varying() : status;
    }

    /** What the owner of a claim that is ready needs to know. */
    Optional<ClaimStatus> warning(ClaimOptions options) {
        if (isDeferred(options)) {
            return Optional.of(ClaimStatus.boundWithWarning(
                    "WaitingForPreviousKey",
                    "The bucket is ready. The Secret was edited, or the claim renames its keys; it gets new credentials at "
                            + bucket.previousKeyUntil()
                            + ", when the previous key expires. Delete the Secret to get them"
                            + " now: the previous key then ends at once."));
        }
        if (lacksEncryption(options, isEndpointEncrypted())) {
            Problem problem = StoreProblems.encryptionMissing(bucket.intent().storageClassName());
            return Optional.of(ClaimStatus.boundWithWarning(problem.reason(), problem.message()));
        }
        return rotation instanceof RotationRequest.Invalid(String annotation)
                ? Optional.of(ClaimStatus.boundWithWarning(
                        "InvalidRotateAt",
                        "The bucket is ready. The annotation " + RotationRequest.ANNOTATION + " must be a time such"
                                + " as 2030-01-31T12:00:00Z, and is " + SafeText.quoted(annotation) + "."))
                : Optional.empty();
    }

    boolean isEndpointEncrypted() {
        return !"false".equals(bucket.config().get("BUCKET_SSL"));
    }
}
