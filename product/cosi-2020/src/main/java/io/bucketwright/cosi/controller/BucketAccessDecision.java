package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import java.util.Map;
import java.util.Optional;

/** Decides the next step for a BucketAccess: it is deleted with its request, after the sidecar has revoked it. */
final class BucketAccessDecision {

    public Decision<ControllerStep> decide(BucketAccessObservation view) {
        BucketAccess access = view.access();
        MetadataPatch missing = CosiMetadata.manage(access);
        if (!missing.isEmpty()) {
            return Decision.act(new ControllerStep.Merge(access, missing.fields()));
        }
        if (Metadata.isBeingDeleted(access)) {
            return deleted(view);
        }
        if (view.request().filter(request -> !Metadata.isBeingDeleted(request)).isEmpty()) {
            return Decision.act(new ControllerStep.Delete(access));
        }
        BucketAccessRequest request = view.request().get();
        String rotateAt = CosiMetadata.rotationTime(request);
        if (!rotateAt.isEmpty() && !rotateAt.equals(Metadata.annotation(access, CosiNames.ROTATE_AT))) {
            return Decision.act(new ControllerStep.Merge(
                    access, Map.of("metadata", Map.of("annotations", Map.of(CosiNames.ROTATE_AT, rotateAt)))));
        }
        return status(view);
    }

    private static Decision<ControllerStep> status(BucketAccessObservation view) {
        BucketAccess access = view.access();
        String bucket = "Bucket " + access.getSpec().bucketName();
        if (view.bucket().isEmpty()) {
            return CosiCondition.of(BucketAccessPhase.RELEASED, CosiReason.BUCKET_DELETED, bucket + " was deleted.")
                    .report(access);
        }
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        boolean bound = CosiCondition.wasBound(access) || (view.granted() && isBound(view));
        if (report.isPresent()) {
            return CosiCondition.of(
                            bound ? BucketAccessPhase.BOUND : report.get().phase(),
                            CosiReason.FAILED_GRANT_ACCESS,
                            report.get().summary())
                    .report(access);
        }
        if (bound) {
            return CosiCondition.bound(BucketAccessPhase.BOUND, "Access is granted.")
                    .report(access);
        }
        return view.bucket().filter(Metadata::isBeingDeleted).isEmpty()
                ? Decision.done()
                : CosiCondition.of(
                                BucketAccessPhase.FAILED,
                                CosiReason.BUCKET_DELETION_IN_PROGRESS,
                                bucket + " is being deleted.")
                        .report(access);
    }

    private static Decision<ControllerStep> deleted(BucketAccessObservation view) {
        BucketAccess access = view.access();
        if (!CosiMetadata.hasFinalizer(access)) {
            return Decision.done();
        }
        if (Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return ProvisionerReport.of(access)
                    .map(report -> CosiCondition.of(report.phase(), CosiReason.FAILED_REVOKE_ACCESS, report.summary())
                            .report(access))
                    .orElseGet(Decision::done);
        }
        // The Bucket's loop removes the binding first.
        return isBound(view)
                ? Decision.done()
                : Decision.act(new ControllerStep.RemoveFinalizer(access, Operation.NONE));
    }

    private static boolean isBound(BucketAccessObservation view) {
        return view.bucket()
                .filter(bucket -> BucketBinding.isBound(bucket, view.access()))
                .isPresent();
    }
}
