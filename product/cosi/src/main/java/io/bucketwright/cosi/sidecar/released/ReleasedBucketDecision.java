package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.BucketStep;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The rules for a Bucket of {@code objectstorage.k8s.io}: what is done for its claim, and when the bucket's turn is. Pure. */
record ReleasedBucketDecision(ReleasedBucketObservation observed) {

    /** How far watches of different kinds may be apart, and how long a revocation usually takes. */
    static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    static Decision<Step> decide(ReleasedBucketObservation observed) {
        return new ReleasedBucketDecision(observed).decide();
    }

    private Decision<Step> decide() {
        if (!record().isBeingDeleted()) {
            return record().hasLostClaim() && needsClaim() ? claimLost() : inStore(this::claimReady);
        }
        return record().isProtected() ? deletion() : Decision.done();
    }

    /** What the bucket in the store needs; then what is decided otherwise. */
    private Decision<Step> inStore(Supplier<Decision<Step>> otherwise) {
        return switch (observed.inStore().decide()) {
            case Decision.Act<BucketStep>(BucketStep step) -> act(step);
            case Decision.Finish<BucketStep>(Result result) ->
                result.equals(Result.done()) ? otherwise.get() : Decision.finish(result);
        };
    }

    private Decision<Step> act(BucketStep step) {
        Optional<Step> claimFirst = step instanceof BucketStep.Release ? releaseClaim() : Optional.empty();
        return Decision.act(claimFirst.orElseGet(() -> new ReleasedBucketStep.InStore(record(), step)));
    }

    /** The claim first: if this process ends in between, the Bucket still leads to the claim. */
    private Optional<Step> releaseClaim() {
        return claim().filter(Metadata::isBeingDeleted)
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(ReleasedBucketStep.RemoveClaimFinalizer::new);
    }

    /** The reference's controller may reset the claim; then its event leads here again. */
    private Decision<Step> claimReady() {
        return claim().filter(claim -> !Metadata.isBeingDeleted(claim))
                .filter(claim -> !claim.status().bucketReady())
                // Earlier, the controller would overwrite it, or its next write would be a conflict.
                .filter(claim -> claim.status().bucketName().equals(record().name()))
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .map(claim -> Decision.<Step>act(new ReleasedBucketStep.MarkClaimReady(claim, record().bucket())))
                .orElseGet(Decision::done);
    }

    /**
     * Whether it makes a difference that the claim does not exist: the bucket would be created for nobody, or nothing but a
     * removed finalizer explains it.
     */
    private boolean needsClaim() {
        boolean uncreated = record().id().isEmpty();
        boolean deletedWithClaim = record().isReady() && record().deletesBackend();
        return !record().isRestored() && !record().isConfirmed() && (uncreated || deletedWithClaim);
    }

    /** The data may be needed: the sidecar does not delete a bucket that nobody deleted, and creates none for nobody. */
    private Decision<Step> claimLost() {
        // Buckets and claims are watched apart: the claim of a new Bucket may follow.
        Duration left = Duration.between(
                observed.now(),
                Instant.parse(record().bucket().getMetadata().getCreationTimestamp())
                        .plus(USUAL_WAIT));
        if (left.isPositive()) {
            return Decision.finish(Result.requeueAfter(left, USUAL_WAIT));
        }
        ClaimReference claim = ClaimReference.of(record().bucket());
        String message = "BucketClaim " + claim.place() + " with uid " + claim.uid() + " does not exist"
                + (record().id().isEmpty()
                        ? ", so no bucket is created. Delete this Bucket; or, if it is for a bucket that exists in the"
                                + " store, write its id to spec.existingBucketID."
                        : ", but this Bucket was not deleted: somebody removed the finalizer of the claim. The bucket and"
                                + " its data stay. Delete the Bucket to delete them, or name another claim in"
                                + " spec.bucketClaim" + former());
        Problem lost = Problem.retryable(ReleasedReason.CLAIM_LOST, message);
        return Decision.act(new Step.Report(record().bucket(), DriverMethod.DELETE_BUCKET.rpc(), lost, Result.done()));
    }

    /** What another claim would wait for. */
    private String former() {
        List<String> holders = record().holders();
        return holders.isEmpty()
                ? "."
                : ": it is bound when the access of the former one is revoked, that of " + String.join(", ", holders)
                        + ". Delete these BucketAccesses.";
    }

    private Decision<Step> deletion() {
        if (claim().filter(claim -> !Metadata.isBeingDeleted(claim)).isPresent()) {
            return inUse(
                    "but its BucketClaim is not. The deletion waits until the BucketClaim is deleted.",
                    Result.requiresChange("its BucketClaim is not being deleted"));
        }
        // What was granted on the bucket of a restored Bucket is not revoked: another cluster may use it.
        return record().isRestored() ? inStore(Decision::done) : withoutAccess(() -> inStore(Decision::done));
    }

    /** The driver needs the bucket, and some drivers the Bucket, to revoke their accounts. */
    private Decision<Step> withoutAccess(Supplier<Decision<Step>> next) {
        List<ReleasedBucketAccess> live = observed.accesses().stream()
                .filter(access -> !Metadata.isBeingDeleted(access))
                .toList();
        if (claim().isPresent() && !live.isEmpty()) {
            return Decision.act(new ReleasedBucketStep.DeleteAccess(live.getFirst()));
        }
        List<String> holders = record().holders();
        if (observed.accesses().isEmpty() && holders.isEmpty()) {
            return next.get();
        }
        Duration left =
                Duration.between(observed.now(), record().deletionRequested().plus(USUAL_WAIT));
        if (live.isEmpty() && left.isPositive()) {
            return Decision.finish(Result.requeueAfter(left, USUAL_WAIT));
        }
        String names = holders.isEmpty()
                ? String.join(
                        ", ",
                        observed.accesses().stream()
                                .map(Metadata::reference)
                                .map(each -> each.getNamespace() + "/" + each.getName())
                                .toList())
                : String.join(", ", holders);
        return inUse(
                "but access to its bucket is not revoked yet, that of " + names
                        + ". The deletion waits until it is: delete these BucketAccesses, and read their events.",
                Result.pending());
    }

    private Decision<Step> inUse(String why, Result result) {
        Problem used = Problem.retryable(
                ProvisionerReason.IN_USE.text(), "Bucket " + record().name() + " is being deleted, " + why);
        return act(new BucketStep.Report(DriverMethod.DELETE_BUCKET, used, result));
    }

    private ReleasedBucketRecord record() {
        return observed.record();
    }

    private Optional<BucketClaim> claim() {
        return observed.record().claim();
    }
}
