package io.bucketwright.cosi.controller.requests;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.controller.objects.BucketPermission;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.steps.BucketProblem;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.cosi.controller.steps.CosiCondition;
import io.bucketwright.cosi.controller.steps.GracePeriod;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import java.util.List;

/**
 * Decides the next step for a BucketRequest that is being deleted: its accesses are revoked first, then the Bucket is
 * deleted if its release policy is Delete, then the finalizer is removed.
 */
record DeletedBucketRequestDecision(BucketRequestView view) {

    Decision<ControllerStep> decide() {
        BucketRequest request = view.request();
        if (!CosiMetadata.hasFinalizer(request)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            return GracePeriod.OBSERVED.afterDeletion(request, view.now(), this::inUse);
        }
        String provisioner =
                view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
        Operation completed = Operation.deleted(request, provisioner);
        if (view.undecided()
                && view.bucket()
                        .filter(DeletedBucketRequestDecision::isDeletable)
                        .isPresent()) {
            // The event of the namespace follows.
            return Decision.done();
        }
        if (view.bucket().filter(this::isDeletedWithRequest).isEmpty()) {
            return Decision.act(new ControllerStep.RemoveFinalizer(request, completed));
        }
        Bucket bucket = view.bucket().get();
        if (BucketProblem.isUnserved(bucket) && Metadata.isBeingDeleted(bucket)) {
            return GracePeriod.SLOW.afterDeletion(
                    bucket,
                    view.now(),
                    () -> CosiCondition.of(
                                    BucketRequestPhase.DELETING,
                                    CosiReason.WAITING_FOR_PROVISIONER,
                                    BucketProblem.unserved(bucket)
                                            + " If none answers within some minutes, the Bucket is deleted without it: nothing was"
                                            + " created in the store.")
                            .report(request));
        }
        String problem = BucketProblem.of(bucket);
        CosiCondition condition = problem.isEmpty()
                ? CosiCondition.of(
                        BucketRequestPhase.DELETING,
                        CosiReason.DELETING_BUCKET,
                        "Bucket " + bucket.getMetadata().getName() + " is being deleted with its content.")
                : CosiCondition.of(BucketRequestPhase.DELETING, CosiReason.FAILED_DELETE_BUCKET, problem);
        return condition.report(request);
    }

    private Decision<ControllerStep> inUse() {
        List<String> users = view.accesses().stream()
                .map(access -> access.getSpec().bucketAccessRequestName())
                .sorted()
                .toList();
        return CosiCondition.of(
                        BucketRequestPhase.DELETING,
                        CosiReason.IN_USE,
                        "Waiting for the deletion of BucketAccessRequest " + String.join(", ", users) + ".")
                .report(view.request());
    }

    /** Whether the Bucket is deleted together with this request. */
    private boolean isDeletedWithRequest(Bucket bucket) {
        return BucketPermission.isEntitled(bucket, view.request(), view.namespaceUid())
                && isDeletable(bucket)
                && !view.shared();
    }

    private static boolean isDeletable(Bucket bucket) {
        return bucket.getSpec().creator().isPresent()
                && (bucket.getSpec().onRelease() == ReleasePolicy.DELETE || !bucket.provisioned());
    }
}
