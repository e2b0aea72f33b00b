package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.controller.objects.BucketBinding;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.RotationTime;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.cosi.controller.steps.CosiCondition;
import io.bucketwright.cosi.controller.steps.GracePeriod;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;
import java.util.Set;

/** Decides the next step for a BucketAccessRequest; {@link NewAccessRequestDecision} until there is a BucketAccess. */
public final class AccessRequestDecision {

    /** Phases of a request whose access existed once. */
    private static final Set<BucketAccessRequestPhase> HAD_ACCESS =
            Set.of(BucketAccessRequestPhase.ACCESS_LOST, BucketAccessRequestPhase.BUCKET_LOST);

    public Decision<ControllerStep> decide(AccessRequestView view) {
        BucketAccessRequest request = view.request();
        if (Metadata.isBeingDeleted(request)) {
            return deleted(view, request);
        }
        Optional<Problem> tooLarge = Problem.ofSize(request);
        if (tooLarge.isPresent()) {
            return CosiCondition.tooLarge(request.phase(), tooLarge.get()).report(request);
        }
        if (view.access().isPresent()) {
            return follow(view, request, view.access().get());
        }
        if (HAD_ACCESS.contains(request.phase()) || CosiCondition.wasBound(request)) {
            return accessLost(request);
        }
        return new NewAccessRequestDecision(view).decide();
    }

    private static Decision<ControllerStep> deleted(AccessRequestView view, BucketAccessRequest request) {
        if (!CosiMetadata.hasFinalizer(request)) {
            return Decision.done();
        }
        if (view.access().isEmpty()) {
            String provisioner =
                    view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
            return Decision.act(new ControllerStep.RemoveFinalizer(request, Operation.deleted(request, provisioner)));
        }
        return ProvisionerReport.of(view.access().get())
                .map(report -> CosiCondition.of(
                        BucketAccessRequestPhase.DELETING, CosiReason.FAILED_REVOKE_ACCESS, report.summary()))
                .orElseGet(() -> CosiCondition.of(
                        BucketAccessRequestPhase.DELETING, CosiReason.REVOKING, "Access is being revoked."))
                .report(request);
    }

    /** Reports the state of the access, and copies its credentials. */
    private static Decision<ControllerStep> follow(
            AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        if (Metadata.isBeingDeleted(access)) {
            return accessLost(request);
        }
        String bucketName = "Bucket " + access.getSpec().bucketName();
        if (view.bucket().isEmpty()) {
            return CosiCondition.error(
                            BucketAccessRequestPhase.BUCKET_LOST,
                            bucketName + " was deleted. Delete this request and create a new one.")
                    .report(request);
        }
        Bucket bucket = view.bucket().get();
        if (!view.granted()) {
            return Metadata.isBeingDeleted(bucket) && !CosiCondition.wasBound(request)
                    ? CosiCondition.error(
                                    BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                                    bucketName + " is being deleted. Delete this request too.")
                            .report(request)
                    : waiting(request, access);
        }
        if (!view.refusal().isEmpty()) {
            return secretRefused(view, request, access);
        }
        return switch (view.secret()) {
            case ABSENT, DIFFERENT -> Decision.act(new ControllerStep.CopySecret(request, access));
            case FOREIGN -> secretInUse(view, request, access);
            case SAME -> granted(request, access, bucket);
        };
    }

    private static Decision<ControllerStep> granted(BucketAccessRequest request, BucketAccess access, Bucket bucket) {
        if (!BucketBinding.isBound(bucket, access) && !CosiCondition.wasBound(request)) {
            return Decision.done();
        }
        return bound(request, access, bucket)
                .report(
                        request,
                        Result.done(),
                        Operation.bound(request, bucket.getSpec().provisioner()));
    }

    private static CosiCondition bound(BucketAccessRequest request, BucketAccess access, Bucket bucket) {
        String secret = "Secret " + access.getSpec().applicationSecretName() + " contains the credentials.";
        if (Metadata.isBeingDeleted(bucket)) {
            return CosiCondition.of(
                    BucketAccessRequestPhase.BOUND,
                    CosiReason.BUCKET_DELETION_IN_PROGRESS,
                    secret + " Bucket " + bucket.getMetadata().getName()
                            + " is being deleted; the deletion waits for the last BucketAccessRequest.");
        }
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        if (report.isPresent()) {
            return CosiCondition.of(
                    BucketAccessRequestPhase.BOUND,
                    CosiReason.FAILED_GRANT_ACCESS,
                    secret + " The rotation failed: " + report.get().summary());
        }
        if (RotationTime.isMalformed(request)) {
            return CosiCondition.of(
                    BucketAccessRequestPhase.BOUND,
                    CosiReason.INVALID_ROTATE_AT,
                    secret + " The annotation " + CosiNames.ROTATE_AT
                            + " is ignored: it is not a time such as 2026-11-15T12:00:00Z.");
        }
        return CosiCondition.bound(BucketAccessRequestPhase.BOUND, secret);
    }

    private static Decision<ControllerStep> waiting(BucketAccessRequest request, BucketAccess access) {
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        if (CosiCondition.wasBound(request)) {
            return Decision.done();
        }
        if (report.isEmpty()) {
            return CosiCondition.inProgress(BucketAccessRequestPhase.PENDING, request, "Access is being granted.");
        }
        String message = report.get().summary();
        CosiCondition condition = report.get().isFailed()
                ? CosiCondition.of(BucketAccessRequestPhase.ACCESS_FAILED, CosiReason.FAILED_GRANT_ACCESS, message)
                : CosiCondition.of(BucketAccessRequestPhase.PENDING, CosiReason.FAILED_GRANT_ACCESS, message);
        return condition.report(request);
    }

    /** Quotas and policies change without an event of the request, so it is retried. */
    private static Decision<ControllerStep> secretRefused(
            AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        String message = "Secret " + access.getSpec().applicationSecretName()
                + " with the credentials cannot be written: " + view.refusal();
        return CosiCondition.error(BucketAccessRequestPhase.SECRET_REJECTED, message)
                .report(request, Result.retry(message), Operation.NONE);
    }

    private static Decision<ControllerStep> secretInUse(
            AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        String message = "Secret " + access.getSpec().applicationSecretName()
                + " exists and is not owned by this request: delete it, or create a request with another"
                + " accessSecretName.";
        // The Secret may be of a deleted request of the same name. A Secret of another owner is not watched, so retry.
        return GracePeriod.OBSERVED.afterCreation(
                request,
                view.now(),
                () -> CosiCondition.error(BucketAccessRequestPhase.SECRET_IN_USE, message)
                        .report(request, Result.retry(message), Operation.NONE));
    }

    private static Decision<ControllerStep> accessLost(BucketAccessRequest request) {
        return CosiCondition.error(
                        BucketAccessRequestPhase.ACCESS_LOST,
                        "An administrator deleted BucketAccess "
                                + request.getSpec().bucketAccessName()
                                + ", so access is revoked. Delete this request and create a new one.")
                .report(request);
    }
}
