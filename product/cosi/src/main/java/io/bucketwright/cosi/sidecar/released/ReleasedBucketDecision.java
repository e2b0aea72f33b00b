package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The rules for a Bucket of {@code objectstorage.k8s.io}. Pure. */
final class ReleasedBucketDecision {

    /** Attempts after which an error counts as the answer for something that an earlier call has removed. */
    static final int ATTEMPTS = 3;

    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    private ReleasedBucketDecision() {}

    static Decision<ReleasedBucketStep> decide(ObservedReleasedBucket observed) {
        return observed.bucket()
                .map(bucket -> Metadata.isBeingDeleted(bucket) ? delete(observed, bucket) : provision(observed, bucket))
                .orElseGet(() -> removed(observed));
    }

    private static Decision<ReleasedBucketStep> provision(ObservedReleasedBucket observed, ReleasedBucket bucket) {
        String id = knownId(bucket);
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)) {
            return Decision.act(new ReleasedBucketStep.Protect(bucket, id.isEmpty()));
        }
        if (bucket.status().bucketReady() && !bucket.status().bucketID().isEmpty()) {
            return claimReady(observed, bucket);
        }
        if (!id.isEmpty()) {
            return Decision.act(new ReleasedBucketStep.WriteStatus(bucket, id, true));
        }
        if (observed.inFlight().nameInUse()) {
            return Decision.act(new ReleasedBucketStep.RecordNameInUse(bucket));
        }
        return observed.inFlight()
                .id()
                .map(created ->
                        Decision.<ReleasedBucketStep>act(new ReleasedBucketStep.WriteStatus(bucket, created, true)))
                .orElseGet(() -> call(
                        observed,
                        bucket,
                        DriverMethod.CREATE_BUCKET,
                        () -> new ReleasedBucketStep.Create(
                                bucket, observed.preconditions().inputs(bucket))));
    }

    /** Empty if the driver has not answered yet. An administrator's id wins over none, and needs no call. */
    private static String knownId(ReleasedBucket bucket) {
        String created = bucket.status().bucketID();
        return created.isEmpty() ? bucket.spec().existingBucketID() : created;
    }

    /** The reference's controller may reset the claim; then its event leads here again. */
    private static Decision<ReleasedBucketStep> claimReady(ObservedReleasedBucket observed, ReleasedBucket bucket) {
        if (observed.claim().isEmpty() && isDeletedWithClaim(bucket)) {
            return claimLost(observed, bucket);
        }
        return observed.claim()
                .filter(claim -> !Metadata.isBeingDeleted(claim))
                .filter(claim -> !claim.status().bucketReady())
                // Earlier, the controller would overwrite it, or its next write would be a conflict.
                .filter(claim ->
                        claim.status().bucketName().equals(bucket.getMetadata().getName()))
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(claim -> Decision.<ReleasedBucketStep>act(new ReleasedBucketStep.MarkClaimReady(claim, bucket)))
                .orElseGet(Decision::done);
    }

    /** Whether nothing but a removed finalizer explains that the claim does not exist. */
    private static boolean isDeletedWithClaim(ReleasedBucket bucket) {
        return bucket.deletesBackend() && !ClaimReference.of(bucket).uid().isEmpty();
    }

    /** The data may be needed: the sidecar does not delete a bucket that nobody deleted. */
    private static Decision<ReleasedBucketStep> claimLost(ObservedReleasedBucket observed, ReleasedBucket bucket) {
        // Buckets and claims are watched apart: the claim of a new Bucket may follow.
        Instant usual =
                Instant.parse(bucket.getMetadata().getCreationTimestamp()).plus(USUAL_WAIT);
        Duration left = Duration.between(observed.now(), usual);
        if (left.isPositive()) {
            return Decision.finish(Result.requeueAfter(left, USUAL_WAIT));
        }
        ClaimReference claim = ClaimReference.of(bucket);
        String message = "BucketClaim " + claim.place() + " with uid " + claim.uid()
                + " no longer exists, but this Bucket was not deleted: somebody removed the finalizer of the claim. The"
                + " bucket and its data stay. Delete the Bucket to delete them, or name another claim in"
                + " spec.bucketClaim.";
        return observed.inFlight().reported().equals(message)
                ? Decision.done()
                : Decision.act(new ReleasedBucketStep.ReportLostClaim(bucket, message));
    }

    private static Decision<ReleasedBucketStep> delete(ObservedReleasedBucket observed, ReleasedBucket bucket) {
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)
                && !Metadata.hasFinalizer(bucket, ReleasedNames.ACCESSED_BUCKET_FINALIZER)) {
            return Decision.done();
        }
        Optional<BucketClaim> user = observed.claim().filter(claim -> !Metadata.isBeingDeleted(claim));
        if (user.isPresent()) {
            return report(
                    observed,
                    bucket,
                    DriverMethod.DELETE_BUCKET,
                    Problem.retryable(
                            ProvisionerReason.IN_USE.text(),
                            "Bucket " + bucket.getMetadata().getName()
                                    + " is being deleted, but its BucketClaim is not. The deletion waits until the"
                                    + " BucketClaim is deleted."),
                    Result.requiresChange("its BucketClaim is not being deleted"));
        }
        Optional<ReleasedBucketAccess> live = observed.accesses().stream()
                .filter(access -> !Metadata.isBeingDeleted(access))
                .findFirst();
        if (live.isPresent()) {
            return Decision.act(new ReleasedBucketStep.DeleteAccess(live.get()));
        }
        if (!observed.accesses().isEmpty()) {
            // The driver needs the bucket, and some drivers the Bucket, to revoke their accounts.
            return Decision.done();
        }
        String id = knownId(bucket);
        boolean retained = !id.isEmpty() && !bucket.deletesBackend();
        if (retained || observed.inFlight().deleted()) {
            return release(observed, bucket, retained);
        }
        return id.isEmpty() ? deleteHalfCreated(observed, bucket) : deleteCreated(observed, bucket, id);
    }

    /**
     * That the bucket is being deleted is recorded first: if this process ends after the call, the next one knows that an
     * error may be the driver's answer for a bucket that does not exist.
     */
    private static Decision<ReleasedBucketStep> deleteCreated(
            ObservedReleasedBucket observed, ReleasedBucket bucket, String id) {
        if (observed.inFlight().failedHere()) {
            return Decision.act(new ReleasedBucketStep.WriteStatus(bucket, id, true));
        }
        Optional<FailedAttempt> failure = failure(observed, DriverMethod.DELETE_BUCKET);
        boolean mayBeDeleted = !bucket.status().bucketReady()
                && !observed.inFlight().deletingHere()
                && failure.filter(attempt -> attempt.problem().reason().equals(ProvisionerReason.INTERNAL_ERROR.text())
                                && attempt.attempts() >= ATTEMPTS)
                        .isPresent();
        if (mayBeDeleted) {
            return Decision.act(new ReleasedBucketStep.SkipDelete(
                    bucket, id, failure.get().problem().message()));
        }
        return call(
                observed,
                bucket,
                DriverMethod.DELETE_BUCKET,
                () -> bucket.status().bucketReady()
                        ? new ReleasedBucketStep.WriteStatus(bucket, id, false)
                        : new ReleasedBucketStep.Delete(
                                bucket, id, observed.preconditions().inputs(bucket)));
    }

    /**
     * The driver was called, and its answer is not known. Asked again, it answers with the id, of the same bucket. Nobody has
     * ever had access to it, so there is nothing to retain.
     */
    private static Decision<ReleasedBucketStep> deleteHalfCreated(
            ObservedReleasedBucket observed, ReleasedBucket bucket) {
        boolean neverCreated = observed.inFlight().recordedHere()
                || isNameInUse(bucket)
                || !Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER);
        if (neverCreated) {
            return release(observed, bucket, false);
        }
        String name = bucket.getMetadata().getName();
        Optional<String> id = observed.inFlight()
                .id()
                .or(() -> observed.inFlight().idUnknown() ? Optional.of(name) : Optional.empty());
        if (id.isEmpty()) {
            return call(
                    observed,
                    bucket,
                    DriverMethod.CREATE_BUCKET,
                    () -> new ReleasedBucketStep.Create(
                            bucket, observed.preconditions().inputs(bucket)));
        }
        Optional<FailedAttempt> failure = failure(observed, DriverMethod.DELETE_BUCKET)
                .filter(attempt -> observed.inFlight().idUnknown()
                        && attempt.attempts() >= ATTEMPTS
                        && mayMeanAbsent(attempt.problem()));
        return failure.isPresent()
                ? Decision.act(new ReleasedBucketStep.SkipDelete(
                        bucket, name, failure.get().problem().message()))
                : call(
                        observed,
                        bucket,
                        DriverMethod.DELETE_BUCKET,
                        () -> new ReleasedBucketStep.Delete(
                                bucket, id.get(), observed.preconditions().inputs(bucket)));
    }

    /**
     * Whether the error can be the answer of a driver for something that does not exist. Those that somebody repairs, or that
     * end by themselves, say nothing about that.
     */
    static boolean mayMeanAbsent(Problem problem) {
        return !ReleasedBucketController.isAmbiguous(problem)
                && !problem.reason().equals(ProvisionerReason.INVALID_CREDENTIALS.text())
                && !problem.reason().equals(ProvisionerReason.FAILED_PRECONDITION.text());
    }

    static boolean isNameInUse(ReleasedBucket bucket) {
        return Metadata.annotation(bucket, ReleasedNames.CREATE_ATTEMPT).equals(ReleasedNames.ATTEMPT_NAME_IN_USE);
    }

    /** The claim first: if this process ends in between, the Bucket still leads to the claim. */
    private static Decision<ReleasedBucketStep> release(
            ObservedReleasedBucket observed, ReleasedBucket bucket, boolean retained) {
        return releaseClaim(observed)
                .orElseGet(() -> Decision.act(new ReleasedBucketStep.ReleaseBucket(bucket, retained)));
    }

    /** A Bucket without finalizers that was deleted leaves its claim behind. */
    private static Decision<ReleasedBucketStep> removed(ObservedReleasedBucket observed) {
        return observed.deleted()
                .map(bucket -> releaseClaim(observed)
                        .orElseGet(() -> Decision.act(new ReleasedBucketStep.Forget(ObjectKey.of(bucket)))))
                .orElseGet(Decision::done);
    }

    private static Optional<Decision<ReleasedBucketStep>> releaseClaim(ObservedReleasedBucket observed) {
        return observed.claim()
                .filter(Metadata::isBeingDeleted)
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(claim -> Decision.act(new ReleasedBucketStep.ReleaseClaim(claim)));
    }

    private static Decision<ReleasedBucketStep> call(
            ObservedReleasedBucket observed,
            ReleasedBucket bucket,
            DriverMethod method,
            Supplier<ReleasedBucketStep> step) {
        String inputs = observed.preconditions().inputs(bucket);
        Optional<FailedAttempt> failure = failure(observed, method);
        Optional<Result> blocked = failure.flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
        if (blocked.isPresent()) {
            return report(observed, bucket, method, failure.get().problem(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .driverProblem()
                .map(problem -> report(observed, bucket, method, problem, Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    private static Optional<FailedAttempt> failure(ObservedReleasedBucket observed, DriverMethod method) {
        return observed.failure().filter(attempt -> attempt.operation().equals(method));
    }

    /** Sends an event unless the last one was about the same problem, then finishes with the result. */
    private static Decision<ReleasedBucketStep> report(
            ObservedReleasedBucket observed,
            ReleasedBucket bucket,
            DriverMethod method,
            Problem problem,
            Result result) {
        return observed.inFlight().reported().equals(reported(method, problem))
                ? Decision.finish(result)
                : Decision.act(new ReleasedBucketStep.Report(bucket, observed.claim(), method, problem));
    }

    static String reported(DriverMethod method, Problem problem) {
        return method.rpc() + " " + problem.reason() + " " + problem.message();
    }
}
