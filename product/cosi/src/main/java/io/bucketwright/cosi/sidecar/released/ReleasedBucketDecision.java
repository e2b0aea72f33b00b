package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The rules for a Bucket of {@code objectstorage.k8s.io}. Pure. */
record ReleasedBucketDecision(ReleasedBucketObservation observed, ReleasedBucket bucket) {

    /** Attempts after which an error counts as the answer for something that an earlier call has removed. */
    static final int ATTEMPTS = 3;

    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    static Decision<Step> decide(ReleasedBucketObservation observed) {
        return observed.bucket()
                .map(bucket -> new ReleasedBucketDecision(observed, bucket).decide())
                .orElseGet(() -> removed(observed));
    }

    private Decision<Step> decide() {
        return Metadata.isBeingDeleted(bucket) ? delete() : provision();
    }

    private Decision<Step> provision() {
        String id = knownId();
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)) {
            return Decision.act(new ReleasedBucketStep.Protect(bucket, id.isEmpty()));
        }
        if (bucket.status().bucketReady() && !bucket.status().bucketID().isEmpty()) {
            return claimReady();
        }
        if (!id.isEmpty()) {
            return Decision.act(new ReleasedBucketStep.WriteStatus(bucket, id, true));
        }
        if (observed.inFlight().nameInUse()) {
            return Decision.act(new ReleasedBucketStep.RecordNameInUse(bucket));
        }
        return observed.inFlight()
                .id()
                .map(created -> Decision.<Step>act(new ReleasedBucketStep.WriteStatus(bucket, created, true)))
                .orElseGet(() -> create());
    }

    /** Empty if the driver has not answered yet. An administrator's id wins over none, and needs no call. */
    private String knownId() {
        String created = bucket.status().bucketID();
        return created.isEmpty() ? bucket.spec().existingBucketID() : created;
    }

    /** The reference's controller may reset the claim; then its event leads here again. */
    private Decision<Step> claimReady() {
        if (observed.claim().isEmpty() && isDeletedWithClaim()) {
            return claimLost();
        }
        return observed.claim()
                .filter(claim -> !Metadata.isBeingDeleted(claim))
                .filter(claim -> !claim.status().bucketReady())
                // Earlier, the controller would overwrite it, or its next write would be a conflict.
                .filter(claim ->
                        claim.status().bucketName().equals(bucket.getMetadata().getName()))
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(claim -> Decision.<Step>act(new ReleasedBucketStep.MarkClaimReady(claim, bucket)))
                .orElseGet(Decision::done);
    }

    /** Whether nothing but a removed finalizer explains that the claim does not exist. */
    private boolean isDeletedWithClaim() {
        return bucket.deletesBackend() && !ClaimReference.of(bucket).uid().isEmpty();
    }

    /** The data may be needed: the sidecar does not delete a bucket that nobody deleted. */
    private Decision<Step> claimLost() {
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
        Problem lost = Problem.retryable(ReleasedReason.CLAIM_LOST, message);
        return Decision.act(new Step.Report(bucket, DriverMethod.DELETE_BUCKET.rpc(), lost, Result.done()));
    }

    private Decision<Step> delete() {
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER)
                && !Metadata.hasFinalizer(bucket, ReleasedNames.ACCESSED_BUCKET_FINALIZER)) {
            return Decision.done();
        }
        Optional<BucketClaim> user = observed.claim().filter(claim -> !Metadata.isBeingDeleted(claim));
        if (user.isPresent()) {
            return report(
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
        String id = knownId();
        boolean retained = !id.isEmpty() && !bucket.deletesBackend();
        if (retained || observed.inFlight().deleted()) {
            return release(retained);
        }
        return id.isEmpty() ? deleteHalfCreated() : deleteCreated(id);
    }

    /**
     * That the bucket is being deleted is recorded first: if this process ends after the call, the next one knows that an
     * error may be the driver's answer for a bucket that does not exist.
     */
    private Decision<Step> deleteCreated(String id) {
        if (observed.inFlight().failedHere()) {
            return Decision.act(new ReleasedBucketStep.WriteStatus(bucket, id, true));
        }
        Optional<FailedAttempt> failure = failure(DriverMethod.DELETE_BUCKET);
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
                DriverMethod.DELETE_BUCKET,
                () -> bucket.status().bucketReady()
                        ? new ReleasedBucketStep.WriteStatus(bucket, id, false)
                        : new ReleasedBucketStep.Delete(bucket, id, inputs()));
    }

    /**
     * The driver was called, and its answer is not known. Asked again, it answers with the id, of the same bucket. Nobody has
     * ever had access to it, so there is nothing to retain.
     */
    private Decision<Step> deleteHalfCreated() {
        boolean neverCreated = observed.inFlight().recordedHere()
                || isNameInUse(bucket)
                || !Metadata.hasFinalizer(bucket, ReleasedNames.BUCKET_FINALIZER);
        if (neverCreated) {
            return release(false);
        }
        String name = bucket.getMetadata().getName();
        Optional<String> id = observed.inFlight()
                .id()
                .or(() -> observed.inFlight().idUnknown() ? Optional.of(name) : Optional.empty());
        if (id.isEmpty()) {
            return create();
        }
        Optional<FailedAttempt> failure = failure(DriverMethod.DELETE_BUCKET)
                .filter(attempt -> observed.inFlight().idUnknown()
                        && attempt.attempts() >= ATTEMPTS
                        && mayMeanAbsent(attempt.problem()));
        return failure.isPresent()
                ? Decision.act(new ReleasedBucketStep.SkipDelete(
                        bucket, name, failure.get().problem().message()))
                : call(DriverMethod.DELETE_BUCKET, () -> new ReleasedBucketStep.Delete(bucket, id.get(), inputs()));
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
    private Decision<Step> release(boolean retained) {
        return releaseClaim(observed)
                .orElseGet(() -> Decision.act(new ReleasedBucketStep.RemoveFinalizers(bucket, retained)));
    }

    /** A Bucket without finalizers that was deleted leaves its claim behind. */
    private static Decision<Step> removed(ReleasedBucketObservation observed) {
        return observed.deleted()
                .map(bucket -> releaseClaim(observed)
                        .orElseGet(() -> Decision.act(new ReleasedBucketStep.Forget(ObjectKey.of(bucket)))))
                .orElseGet(Decision::done);
    }

    private static Optional<Decision<Step>> releaseClaim(ReleasedBucketObservation observed) {
        return observed.claim()
                .filter(Metadata::isBeingDeleted)
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(claim -> Decision.act(new ReleasedBucketStep.RemoveClaimFinalizer(claim)));
    }

    private Decision<Step> call(DriverMethod method, Supplier<ReleasedBucketStep> step) {
        Optional<FailedAttempt> failure = failure(method);
        Optional<Result> blocked = failure.flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs()));
        if (blocked.isPresent()) {
            return report(method, failure.get().problem(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .driverProblem()
                .map(problem -> report(method, problem, Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    private Decision<Step> create() {
        return call(DriverMethod.CREATE_BUCKET, () -> new ReleasedBucketStep.Create(bucket, inputs()));
    }

    private String inputs() {
        return observed.preconditions().inputs(bucket);
    }

    private Optional<FailedAttempt> failure(DriverMethod method) {
        return observed.failure().filter(attempt -> attempt.operation().equals(method));
    }

    private Decision<Step> report(DriverMethod method, Problem problem, Result result) {
        return Decision.act(new ReleasedBucketStep.Report(bucket, observed.claim(), method, problem, result));
    }
}
