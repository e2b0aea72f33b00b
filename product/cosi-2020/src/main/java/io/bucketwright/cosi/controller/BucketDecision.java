package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import java.util.List;

/** Decides the next step for a Bucket. All writes of the controller to an existing Bucket are decided here. */
final class BucketDecision {

    public Decision<ControllerStep> decide(BucketObservation view) {
        Bucket bucket = view.bucket();
        boolean deleted = Metadata.isBeingDeleted(bucket);
        MetadataPatch missing = CosiMetadata.manage(bucket);
        if (!missing.isEmpty()) {
            return Decision.act(new ControllerStep.Merge(bucket, missing.fields()));
        }
        List<String> bindings = view.accesses().stream()
                .filter(access -> isBinding(bucket, access))
                .map(access -> BucketBinding.of(access.access()))
                .sorted()
                .toList();
        if (!bindings.equals(bucket.getSpec().bindings().stream().sorted().toList())) {
            return Decision.act(
                    new ControllerStep.Patch(bucket, JsonPatch.empty().add("/spec/bindings", bindings)));
        }
        if (deleted) {
            return finalizeDeletion(view, bucket);
        }
        if (mayDelete(view, bucket)) {
            return Decision.act(new ControllerStep.Delete(bucket));
        }
        return isOrphan(view, bucket) ? orphan(view, bucket) : Decision.done();
    }

    /** A binding begins with the grant and ends with the revocation. */
    private static boolean isBinding(Bucket bucket, BucketObservation.Access access) {
        boolean deleted = Metadata.isBeingDeleted(access.access());
        if (deleted && !Metadata.hasFinalizer(access.access(), CosiNames.PROVISIONER_FINALIZER)) {
            return false;
        }
        return BucketBinding.isBound(bucket, access.access()) || (access.granted() && !deleted);
    }

    /**
     * The object remains as long as its bucket or an account on it exists in the store. For a bucket that existed before
     * its Bucket object the sidecar has nothing to delete, so the controller does not wait for it.
     */
    private static Decision<ControllerStep> finalizeDeletion(BucketObservation view, Bucket bucket) {
        if (!view.accesses().isEmpty() || !CosiMetadata.hasFinalizer(bucket)) {
            return Decision.done();
        }
        Decision<ControllerStep> release = Decision.act(new ControllerStep.RemoveFinalizer(bucket, Operation.NONE));
        if (bucket.phase() == BucketPhase.DELETED || bucket.getSpec().creator().isEmpty()) {
            return release;
        }
        return BucketProblem.isUnserved(bucket)
                ? GracePeriod.UNSERVED.afterDeletion(bucket, view.now(), () -> release)
                : Decision.done();
    }

    /**
     * Whether to delete the Bucket and its content: it was created for a request, its policy is Delete, its last request
     * is being deleted, and nobody uses it. A request that disappeared in any other way deletes nothing. Without
     * connection data nobody has ever had access: there is nothing to retain, and a bucket would be created for nobody.
     */
    private static boolean mayDelete(BucketObservation view, Bucket bucket) {
        return bucket.getSpec().creator().isPresent()
                && (bucket.getSpec().onRelease() == ReleasePolicy.DELETE || !bucket.provisioned())
                && bucket.getSpec().bindings().isEmpty()
                && view.accesses().isEmpty()
                && view.released()
                && !view.wanted();
    }

    /** Whether the request that the Bucket was created for disappeared before it was ever bound, and nobody else uses it. */
    private static boolean isOrphan(BucketObservation view, Bucket bucket) {
        return view.abandoned()
                && !view.wanted()
                && view.accesses().isEmpty()
                && bucket.getSpec().bindings().isEmpty()
                && bucket.phase() == BucketPhase.CREATING;
    }

    /** After the grace period the requests are known, also those that a backup restores after their Buckets. */
    private static Decision<ControllerStep> orphan(BucketObservation view, Bucket bucket) {
        return GracePeriod.UNSERVED.afterCreation(
                bucket,
                view.now(),
                () -> bucket.provisioned()
                        ? Decision.act(new ControllerStep.ReportOrphan(bucket))
                        : Decision.act(new ControllerStep.DeleteOrphan(bucket)));
    }
}
