package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.BucketGrants;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Decides the next step for a BucketClaim. */
record BucketClaimDecision(BucketClaimObservation view) {

    /** The operation that may fail. */
    static final String CREATE = "Creating the Bucket";

    /** Accesses that a report names: enough to know what to delete. */
    private static final int NAMED = 5;

    Decision<BucketClaimStep> decide() {
        if (Metadata.isBeingDeleted(claim())) {
            return deleted();
        }
        Optional<Problem> tooLarge = Problem.ofSize(claim());
        if (tooLarge.isPresent()) {
            return requiresChange(tooLarge.get().reason(), tooLarge.get().message());
        }
        return view.bucket().map(this::existing).orElseGet(this::missing);
    }

    /** What the creation of the Bucket depends on. */
    static String inputs(ReleasedBucketClass bucketClass) {
        return bucketClass.getMetadata().getName() + " "
                + bucketClass.getMetadata().getResourceVersion();
    }

    private Decision<BucketClaimStep> existing(ReleasedBucket bucket) {
        BucketReservation reservation = BucketReservation.of(bucket, claim());
        if (Metadata.isBeingDeleted(bucket)) {
            return requiresChange(
                    ReleasedReason.BUCKET_DELETION_IN_PROGRESS,
                    "Bucket " + name(bucket) + " is being deleted. Delete this claim and create a new one.");
        }
        return switch (reservation) {
            case BOUND -> bucket.isRestored() ? restored(bucket) : protectedBy(() -> progress(bucket));
            case RESTORED -> bucket.isRestored() ? restored(bucket) : bind(bucket);
            case RESERVED ->
                view.isStatic()
                        ? withoutFormerAccess(bucket)
                        : refuse(bucket, "is reserved for a claim that names it in existingBucketName");
            case FORMER ->
                refuse(
                        bucket,
                        "was bound to a former claim of this name. To bind it to this one, an administrator clears uid"
                                + " in spec.bucketClaim");
            case FOREIGN -> refuse(bucket, "is reserved for another claim by its spec.bucketClaim");
            case NONE ->
                requiresChange(
                        ReleasedReason.BUCKET_NOT_RESERVED,
                        "Bucket " + name(bucket) + " names no claim. An administrator allows this one with:"
                                + " kubectl patch bucket." + ReleasedNames.GROUP + " " + name(bucket)
                                + " --type merge -p '{\"spec\":{\"bucketClaim\":{\"namespace\":\""
                                + claim().getMetadata().getNamespace() + "\",\"name\":\""
                                + claim().getMetadata().getName() + "\"}}}'");
        };
    }

    private Decision<BucketClaimStep> bind(ReleasedBucket bucket) {
        return protectedBy(() -> Decision.act(new BucketClaimStep.Bind(claim(), bucket)));
    }

    /** The Bucket is not used, and no new one is created: the data is in the bucket that the claim had before. */
    private Decision<BucketClaimStep> restored(ReleasedBucket bucket) {
        return requiresChange(
                ReleasedReason.BUCKET_RESTORED,
                "Bucket " + name(bucket) + ", which was the one of this claim, was restored from a backup. The claim is"
                        + " bound to it when an administrator confirms that nobody else uses its bucket: see the events"
                        + " of the Bucket.");
    }

    /** A bucket is not handed over while a former claim's applications can still read and write it. */
    private Decision<BucketClaimStep> withoutFormerAccess(ReleasedBucket bucket) {
        List<String> holders = Stream.concat(
                        BucketGrants.of(bucket.annotation(ReleasedNames.GRANTS)).holders().stream(),
                        view.accesses().stream()
                                .filter(access -> access.status().accessGranted())
                                .map(access -> access.getMetadata().getNamespace() + "/"
                                        + access.getMetadata().getName()))
                .distinct()
                .toList();
        return holders.isEmpty()
                ? bind(bucket)
                : pending(
                        ReleasedReason.FORMER_ACCESS,
                        "Bucket " + name(bucket)
                                + " was bound to another claim, and is bound to this one when the access"
                                + " of its applications is revoked: " + some(holders)
                                + ". Delete these BucketAccesses.",
                        true);
    }

    private Decision<BucketClaimStep> refuse(ReleasedBucket bucket, String why) {
        return requiresChange(ReleasedReason.BUCKET_ALREADY_BOUND, "Bucket " + name(bucket) + " " + why + ".");
    }

    /** The claim keeps its bucketReady whatever the Bucket shows: applications rely on it. */
    private Decision<BucketClaimStep> progress(ReleasedBucket bucket) {
        boolean ready = claim().status().bucketReady();
        boolean provisioned = bucket.status().bucketReady();
        if (!claim().status().bucketName().equals(name(bucket))) {
            return Decision.act(new BucketClaimStep.UpdateStatus(claim(), name(bucket), ready || provisioned));
        }
        if (!provisioned) {
            return GracePeriod.SLOW.afterCreation(bucket, view.now(), () -> unprovisioned(bucket));
        }
        if (!ready) {
            // The sidecar writes it, too. It may have crashed, and v0.2.2 may have reset it.
            return afterWaiting(
                    ReleasedReason.BOUND,
                    () -> Decision.act(new BucketClaimStep.UpdateStatus(claim(), name(bucket), true)));
        }
        return view.state().unready()
                ? Decision.act(new BucketClaimStep.ReportReady(claim(), bucket))
                : Decision.done();
    }

    private Decision<BucketClaimStep> unprovisioned(ReleasedBucket bucket) {
        return pending(
                ReleasedReason.WAITING_FOR_PROVISIONER,
                "Bucket " + name(bucket) + " is not ready: driver "
                        + SafeText.quoted(bucket.spec().driverName())
                        + " has not provisioned it. Check that the driver and its sidecar run, and the events"
                        + " of the Bucket.",
                true);
    }

    /** The Bucket does not exist: not yet, or no longer. */
    private Decision<BucketClaimStep> missing() {
        if (claim().status().bucketReady()) {
            String lost = claim().status().bucketName();
            return afterWaiting(
                    ReleasedReason.BUCKET_DELETED,
                    () -> requiresChange(
                            ReleasedReason.BUCKET_DELETED,
                            "Bucket " + SafeText.quoted(lost) + " was deleted, possibly with its data,"
                                    + " and is not created again. Delete this claim and create a new"
                                    + " one."));
        }
        if (view.isStatic()) {
            return afterCreation(() -> requiresChange(
                    ReleasedReason.BUCKET_NOT_FOUND,
                    "Bucket " + SafeText.quoted(claim().spec().existingBucketName())
                            + " does not exist: ask an administrator to create it."));
        }
        String former = Metadata.annotation(claim(), ReleasedNames.CLAIM_UID);
        if (!former.isEmpty() && !former.equals(claim().getMetadata().getUid())) {
            return requiresChange(
                    ReleasedReason.BUCKET_RESTORED,
                    "This claim was restored from a backup, or copied, and its Bucket "
                            + SafeText.quoted(ReleasedNames.bucketOf(former))
                            + " does not exist: restore the Bucket. To get a new, empty bucket instead, remove the"
                            + " annotation " + ReleasedNames.CLAIM_UID + " of the claim.");
        }
        String className = claim().spec().bucketClassName();
        if (className.isEmpty()) {
            return requiresChange(
                    ReleasedReason.FAILED_CREATE_BUCKET,
                    "The claim has neither bucketClassName nor existingBucketName: set one of them.");
        }
        Optional<ReleasedBucketClass> bucketClass = view.bucketClass();
        if (bucketClass.isEmpty()) {
            return afterCreation(() -> requiresChange(
                    ReleasedReason.BUCKET_CLASS_NOT_FOUND,
                    "BucketClass " + SafeText.quoted(className)
                            + " does not exist: create it, or a claim that names an existing one."));
        }
        return create(bucketClass.get());
    }

    /**
     * The status before the Bucket: the sidecar reads the claim as soon as it sees the Bucket, and a write of the controller at
     * that moment would cost it a conflict and another call of the driver.
     */
    private Decision<BucketClaimStep> create(ReleasedBucketClass bucketClass) {
        if (bucketClass.getDriverName().isEmpty()) {
            return requiresChange(
                    ReleasedReason.FAILED_CREATE_BUCKET,
                    "BucketClass " + bucketClass.getMetadata().getName()
                            + " has no driverName: no driver would provision a Bucket of this class.");
        }
        Optional<FailedAttempt> blocked = view.failure().filter(failed -> failed.blocks(CREATE, inputs(bucketClass)));
        if (blocked.isPresent()) {
            Result result = blocked.get().result();
            return report(
                    ReleasedReason.FAILED_CREATE_BUCKET, blocked.get().problem().message(), true, result);
        }
        return protectedBy(() -> claim().status().bucketName().equals(view.newName())
                ? Decision.act(new BucketClaimStep.Create(claim(), bucketClass))
                : Decision.act(new BucketClaimStep.UpdateStatus(claim(), view.newName(), false)));
    }

    /**
     * The sidecar acts on a deleted Bucket only: it deletes the bucket in the store, then removes the finalizer of the claim.
     * Where the Bucket stays, or where there is none, the finalizer is removed here.
     */
    private Decision<BucketClaimStep> deleted() {
        if (!Metadata.hasFinalizer(claim(), ReleasedNames.CLAIM_FINALIZER)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            return afterWaiting(ReleasedReason.IN_USE, this::inUse);
        }
        Optional<ReleasedBucket> bound = view.bound();
        return bound.isPresent() ? withBucket(bound.get()) : withoutBucket();
    }

    /** To revoke an access, the sidecar needs the claim and the Bucket, so the accesses are deleted first. */
    private Decision<BucketClaimStep> inUse() {
        return pending(
                ReleasedReason.IN_USE,
                "The deletion waits until these BucketAccesses are deleted: "
                        + some(view.accesses().stream()
                                .map(access -> access.getMetadata().getName())
                                .sorted()
                                .toList())
                        + ".",
                false);
    }

    private static String some(List<String> names) {
        int others = names.size() - NAMED;
        return String.join(", ", names.stream().limit(NAMED).toList()) + (others > 0 ? " and " + others + " more" : "");
    }

    private Decision<BucketClaimStep> withBucket(ReleasedBucket bucket) {
        if (Metadata.isBeingDeleted(bucket)) {
            return GracePeriod.SLOW.afterDeletion(
                    bucket,
                    view.now(),
                    () -> pending(
                            ReleasedReason.DELETING_BUCKET,
                            "The deletion waits for Bucket "
                                    + bucket.getMetadata().getName() + " of driver "
                                    + SafeText.quoted(bucket.spec().driverName())
                                    + ". Check that the driver and its sidecar run, and the events of"
                                    + " the Bucket.",
                            true));
        }
        return bucket.deletesBackend() || isUnused(bucket)
                ? Decision.act(new BucketClaimStep.Delete(claim(), bucket))
                : Decision.act(new BucketClaimStep.Release(claim(), bucket));
    }

    /** Whether nobody has ever had access to the bucket: there is nothing to retain, and nobody wants it any more. */
    private boolean isUnused(ReleasedBucket bucket) {
        return bucket.spec().existingBucketID().isEmpty()
                && !bucket.isRestored()
                && bucket.annotation(ReleasedNames.BUCKET_ID).isEmpty()
                && !bucket.status().bucketReady()
                && bucket.status().bucketID().isEmpty()
                && !claim().status().bucketReady();
    }

    /** If the Bucket was deleted a moment ago, the sidecar removes the finalizer; it cannot if it does not run. */
    private Decision<BucketClaimStep> withoutBucket() {
        Decision<BucketClaimStep> release = Decision.act(new BucketClaimStep.RemoveFinalizer(claim()));
        // The answer of a Bind may be lost: then the Bucket still looks reserved here for a moment.
        boolean reserved = view.bucket()
                .filter(bucket -> BucketReservation.of(bucket, claim()) == BucketReservation.RESERVED)
                .isPresent();
        boolean never = claim().status().bucketName().isEmpty() || view.bucket().isPresent();
        return never && !reserved ? release : afterWaiting(ReleasedReason.DELETING_BUCKET, () -> release);
    }

    /** First the finalizer: a claim that is deleted in between takes its Bucket with it. */
    private Decision<BucketClaimStep> protectedBy(Supplier<Decision<BucketClaimStep>> decision) {
        return Metadata.hasFinalizer(claim(), ReleasedNames.CLAIM_FINALIZER)
                ? decision.get()
                : Decision.act(new BucketClaimStep.Protect(claim()));
    }

    private Decision<BucketClaimStep> afterCreation(Supplier<Decision<BucketClaimStep>> decision) {
        return GracePeriod.OBSERVED.afterCreation(claim(), view.now(), decision);
    }

    /** Decides that way once the claim has waited for it as long as a watch may lag behind. */
    private Decision<BucketClaimStep> afterWaiting(String reason, Supplier<Decision<BucketClaimStep>> decision) {
        return view.state().waitingFor().equals(reason)
                ? GracePeriod.OBSERVED.after(view.moment().since(view.state().since()), decision)
                : Decision.act(new BucketClaimStep.Wait(claim(), reason));
    }

    /** Reports a problem that requires a change. */
    private Decision<BucketClaimStep> requiresChange(String reason, String message) {
        return report(
                reason, message, true, Problem.requiresChange(reason, message).result());
    }

    /** Reports what is under way. */
    private Decision<BucketClaimStep> pending(String reason, String message, boolean warning) {
        return report(reason, message, warning, Result.pending());
    }

    private Decision<BucketClaimStep> report(String reason, String message, boolean warning, Result result) {
        return view.state().hasReported(reason, message)
                ? Decision.finish(result)
                : Decision.act(new BucketClaimStep.Report(claim(), reason, message, warning));
    }

    private BucketClaim claim() {
        return view.claim();
    }

    private static String name(ReleasedBucket bucket) {
        return bucket.getMetadata().getName();
    }
}
