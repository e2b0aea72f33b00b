package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimState.Event;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** The warnings of a claim that is Bound. */
record BoundClaimStatus(ClaimObservation observed, RecordedBucket bucket, RotationRequest rotation) {

    private static final Duration TRY_AGAIN = Duration.ofMinutes(1);

    /**
     * Whether new credentials have to wait: a principal has at most two keys, and both are in use. Others may have edited the
     * Secret, or the claim renames its keys. A Secret that no longer exists cannot wait.
     */
    boolean isDeferred(ClaimOptions options) {
        return bucket.hasPreviousKey()
                && overlapLeft().isPositive()
                && observed.state().provisioned().isEmpty()
                && observed.secret() instanceof ChildObject.Owned<Secret> secret
                && !secret.isBeingDeleted()
                && !(bucket.matches(secret) && bucket.uses(options.renames()));
    }

    boolean secretMatches() {
        return observed.secret() instanceof ChildObject.Owned<Secret> secret
                && !secret.isBeingDeleted()
                && bucket.matches(secret);
    }

    static boolean lacksTls(ClaimOptions options, boolean secure) {
        return options.tls() && !secure;
    }

    static ClaimStatus formerOptions(Problem problem) {
        ClaimStatus status = ClaimStatus.boundWithWarning(
                ClaimReason.OPTIONS_NOT_APPLIED, "The bucket is ready, with its former options: " + problem.message());
        return problem.isRetried() ? status.varying() : status;
    }

    /** What the owner of a claim that is ready needs to know. */
    Optional<ClaimStatus> warning(ClaimOptions options) {
        if (isDeferred(options)) {
            return ready(
                    ClaimReason.WAITING_FOR_PREVIOUS_KEY,
                    "The Secret was edited, or the claim renames its keys; it gets new credentials at "
                            + bucket.previousKeyUntil()
                            + ", when the previous key expires. Delete the Secret to get them"
                            + " now: the previous key then ends at once.");
        }
        if (!bucket.hasStoreOptions(options)) {
            return Optional.of(formerOptions(Problem.requiresChange(
                    ClaimReason.OPTIONS_NOT_APPLIED,
                    "those of the store are used only when the bucket is created. Change them back in the claim, or"
                            + " create another claim.")));
        }
        Optional<ClaimStatus> notFollowed = notFollowed();
        if (notFollowed.isPresent()) {
            return notFollowed;
        }
        if (rotation instanceof RotationRequest.Outdated(Instant until)) {
            return ready(
                    ClaimReason.WAITING_FOR_PREVIOUS_KEY,
                    "The administrator replaced the key that its credentials are made of; it gets new"
                            + " ones at " + until + ", when the previous key expires. Do not disable the replaced key"
                            + " before. Delete the Secret to get them now: the previous key then ends at once.");
        }
        if (lacksTls(options, endpointUsesTls())) {
            Problem problem = StoreProblems.tlsMissing(bucket.intent().storageClassName());
            return Optional.of(ClaimStatus.boundWithWarning(problem.reason(), problem.message()));
        }
        return rotation instanceof RotationRequest.Invalid(String annotation)
                ? ready(
                        ClaimReason.INVALID_ROTATE_AT,
                        "The annotation " + RotationRequest.ANNOTATION + " must be a time such"
                                + " as 2030-01-31T12:00:00Z, and is " + SafeText.quoted(annotation) + ".")
                : Optional.empty();
    }

    /** The class was created again, and its bound claims do not use what it says. */
    private Optional<ClaimStatus> notFollowed() {
        String name = bucket.intent().storageClassName();
        ClassChange change = new ClassChange(observed, bucket);
        Optional<String> problem = change.problem();
        if (problem.isPresent()) {
            return notFollowed("StorageClass " + name
                    + " was created again, and its parameters cannot be used together with those that are recorded"
                    + " for this bucket, so that the store is reached as recorded: " + problem.get());
        }
        if (change.isElsewhere() && change.isSecretChanged()) {
            return notFollowed("The administrator Secret of StorageClass " + name
                    + " names another endpoint, whose store does not have this bucket. Applications keep the former"
                    + " endpoint. An administrator corrects the Secret.");
        }
        if (change.isElsewhere()) {
            return notFollowed("StorageClass " + name
                    + " was created again and names another store, or one that"
                    + " does not have this bucket. The store is reached as recorded when the claim was bound. If it"
                    + " is the same store at another endpoint, an administrator sets the parameter "
                    + ClassParameters.SAME_STORE_AS + " of the class to the former endpoint.");
        }
        if (change.isConnectionUnknown()) {
            return notFollowed("StorageClass " + name
                    + " was created again, and it is not known yet how applications connect to its store. They"
                    + " keep the former endpoint and certificates. An administrator checks that the administrator"
                    + " Secret of the class exists and has the keys of its store.");
        }
        return change.failure()
                .map(failed -> ClaimStatus.boundWithWarning(
                                ClaimReason.CLASS_NOT_FOLLOWED,
                                "The bucket is ready. "
                                        + (change.isSecretChanged()
                                                ? "The administrator Secret of StorageClass " + name
                                                        + " names another endpoint, and that"
                                                : "StorageClass " + name + " was created again, and its store")
                                        + " cannot be reached. Applications keep the former endpoint and certificates: "
                                        + failed.problem().message())
                        .varying());
    }

    private static Optional<ClaimStatus> notFollowed(String message) {
        return ready(ClaimReason.CLASS_NOT_FOLLOWED, message);
    }

    private static Optional<ClaimStatus> ready(String reason, String message) {
        return Optional.of(ClaimStatus.boundWithWarning(reason, "The bucket is ready. " + message));
    }

    boolean endpointUsesTls() {
        return !"false".equals(bucket.config().get("BUCKET_SSL"));
    }

    Decision<ClaimStep> bucketBeingDeleted(ObjectBucketClaim claim) {
        String message =
                bucket + " is being deleted, which cannot be undone. It stays, and the bucket works, until this"
                        + " claim is deleted: move the data to a new claim.";
        ClaimStatus status = claim.phase() == Phase.BOUND
                ? ClaimStatus.boundWithWarning(ClaimReason.OBJECT_BUCKET_DELETING, message)
                : ClaimStatus.of(Problem.requiresChange(ClaimReason.OBJECT_BUCKET_DELETING, message), claim.phase());
        return status.thenFinish(observed, claim, Result.done());
    }

    /** The request that a rotation completes; empty if none requested it. */
    String rotatedFor() {
        return rotation instanceof RotationRequest.Due(String annotation) ? annotation : "";
    }

    /**
     * How long the previous key stays valid: until the recorded time, and, if this process issued the current one, until the
     * overlap has passed on a clock that nobody sets.
     */
    Duration overlapLeft() {
        Duration left = Duration.between(observed.now(), bucket.previousKeyUntil());
        return observed.state()
                .at(Event.OVERLAP_END)
                .filter(_ -> bucket.hasPreviousKey())
                .map(until -> until.since(observed.moment()))
                .filter(longer -> longer.compareTo(left) > 0)
                .orElse(left);
    }

    /** Schemas of others allow to change the name of the bucket. The controller restores it and reports that. */
    Optional<Decision<ClaimStep>> restoredName(ObjectBucketClaim claim) {
        String name = bucket.intent().bucketName();
        String summary = "BucketNameRestored " + claim.getMetadata().getGeneration();
        return claim.getSpec()
                .bucket()
                .filter(written -> bucket.origin() == BucketOrigin.NEW && !written.equals(name))
                .filter(_ -> !summary.equals(observed.state().reported()))
                .map(written -> Decision.act(new ClaimStep.SendEvent(
                        claim,
                        ClaimReason.BUCKET_NAME_RESTORED,
                        "spec.bucketName was changed to " + SafeText.quoted(written) + ". A claim cannot change its"
                                + " bucket: it is bound to " + name + ". Create another claim for another bucket.",
                        summary)));
    }

    /** The result of a claim that waits, unless its access has to be looked at before that. */
    Result orSooner(Result result, VerificationDecision verification) {
        Optional<Duration> ends = expires().map(left -> left.isPositive() ? left : TRY_AGAIN);
        Optional<Duration> next = Stream.of(
                        ends, hasOtherFailure() ? Optional.<Duration>empty() : verification.nextTime())
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .map(left -> left.isNegative() ? Duration.ZERO : left);
        return switch (result) {
            case Result.Retry _ -> result;
            case Result.RequeueAfter(Duration after) ->
                next.filter(left -> left.compareTo(after) < 0)
                        .map(Result::requeueAfter)
                        .orElse(result);
            case Result.Done _, Result.Pending _, Result.RequiresChange _ ->
                next.map(Result::requeueAfter).orElse(result);
        };
    }

    /** Whether something failed that has nothing to do with the end of access. */
    boolean hasOtherFailure() {
        return observed.failure()
                .filter(failed ->
                        failed.operation() != Operation.PREVIOUS_KEY && failed.operation() != Operation.VERIFY)
                .isPresent();
    }

    /** Whether the previous key could not be deleted a moment ago. */
    boolean hasJustTriedToEnd() {
        return observed.state()
                .at(Event.END_TRIED)
                .filter(at -> observed.moment().since(at).compareTo(TRY_AGAIN) < 0)
                .isPresent();
    }

    /** When the previous key ends; empty if there is none. */
    private Optional<Duration> expires() {
        return bucket.previousKey().isEmpty() ? Optional.empty() : Optional.of(overlapLeft());
    }

    /**
     * When the claim has to be looked at again: at its rotation, at the end of the previous key, or to verify that the store
     * has its bucket.
     */
    Result nextTime(VerificationDecision verification) {
        Instant now = observed.now();
        // A rotation that is requested during an overlap begins when that ends.
        Optional<Duration> rotates = rotation instanceof RotationRequest.Scheduled(Instant at)
                        && bucket.previousKey().isEmpty()
                ? Optional.of(Duration.between(now, at))
                : Optional.empty();
        return Stream.of(rotates, expires(), verification.nextTime(), new ClassChange(observed, bucket).nextTime())
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .map(left -> Result.requeueAfter(left.isNegative() ? Duration.ZERO : left))
                .orElse(Result.done());
    }
}
