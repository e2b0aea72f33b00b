package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;
import java.util.Set;

/** Decides the next step for a BucketAccessRequest. */
record AccessRequestDecision(AccessRequestObservation view) {

    /** Phases of a request whose access existed once. */
    private static final Set<BucketAccessRequestPhase> HAD_ACCESS =
            Set.of(BucketAccessRequestPhase.ACCESS_LOST, BucketAccessRequestPhase.BUCKET_DELETED);

    Decision<ControllerStep> decide() {
        BucketAccessRequest request = request();
        if (Metadata.isBeingDeleted(request)) {
            return deleted();
        }
        Optional<Problem> tooLarge = Problem.ofSize(request);
        if (tooLarge.isPresent()) {
            return CosiCondition.tooLarge(request.phase(), tooLarge.get()).report(request);
        }
        if (view.access().isPresent()) {
            return follow(view.access().get());
        }
        if (HAD_ACCESS.contains(request.phase()) || CosiCondition.wasBound(request)) {
            return accessLost();
        }
        return withoutAccess();
    }

    private Decision<ControllerStep> deleted() {
        if (!CosiMetadata.hasFinalizer(request())) {
            return Decision.done();
        }
        if (view.access().isEmpty()) {
            String provisioner =
                    view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
            return Decision.act(
                    new ControllerStep.RemoveFinalizer(request(), RequestOperations.deleted(request(), provisioner)));
        }
        return ProvisionerReport.of(view.access().get())
                .map(report -> CosiCondition.of(
                        BucketAccessRequestPhase.DELETING, CosiReason.FAILED_REVOKE_ACCESS, report.summary()))
                .orElseGet(() -> CosiCondition.of(
                        BucketAccessRequestPhase.DELETING, CosiReason.REVOKING, "Access is being revoked."))
                .report(request());
    }

    /** Reports the state of the access, and copies its credentials. */
    private Decision<ControllerStep> follow(BucketAccess access) {
        if (Metadata.isBeingDeleted(access)) {
            return accessLost();
        }
        String bucketName = "Bucket " + access.getSpec().bucketName();
        if (view.bucket().isEmpty()) {
            return CosiCondition.error(
                            BucketAccessRequestPhase.BUCKET_DELETED,
                            bucketName + " was deleted. Delete this request and create a new one.")
                    .report(request());
        }
        Bucket bucket = view.bucket().get();
        if (!view.granted()) {
            return Metadata.isBeingDeleted(bucket) && !CosiCondition.wasBound(request())
                    ? CosiCondition.error(
                                    BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                                    bucketName + " is being deleted. Delete this request too.")
                            .report(request())
                    : waiting(access);
        }
        if (!view.refusal().isEmpty()) {
            return secretRefused(access);
        }
        return switch (view.secret()) {
            case ABSENT, DIFFERENT -> Decision.act(new ControllerStep.CopySecret(request(), access));
            case FOREIGN -> secretInUse(access);
            case SAME -> granted(access, bucket);
        };
    }

    private Decision<ControllerStep> granted(BucketAccess access, Bucket bucket) {
        if (!BucketBinding.isBound(bucket, access) && !CosiCondition.wasBound(request())) {
            return Decision.done();
        }
        return bound(access, bucket)
                .report(
                        request(),
                        Result.done(),
                        RequestOperations.bound(request(), bucket.getSpec().provisioner()));
    }

    private CosiCondition bound(BucketAccess access, Bucket bucket) {
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
        if (CosiMetadata.isRotationMalformed(request())) {
            return CosiCondition.of(
                    BucketAccessRequestPhase.BOUND,
                    CosiReason.INVALID_ROTATE_AT,
                    secret + " The annotation " + CosiNames.ROTATE_AT
                            + " is ignored: it is not a time such as 2026-11-15T12:00:00Z.");
        }
        return CosiCondition.bound(BucketAccessRequestPhase.BOUND, secret);
    }

    private Decision<ControllerStep> waiting(BucketAccess access) {
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        if (CosiCondition.wasBound(request())) {
            return Decision.done();
        }
        if (report.isEmpty()) {
            return CosiCondition.inProgress(BucketAccessRequestPhase.PENDING, request(), "Access is being granted.");
        }
        String message = report.get().summary();
        CosiCondition condition = report.get().isFailed()
                ? CosiCondition.of(BucketAccessRequestPhase.ACCESS_FAILED, CosiReason.FAILED_GRANT_ACCESS, message)
                : CosiCondition.of(BucketAccessRequestPhase.PENDING, CosiReason.FAILED_GRANT_ACCESS, message);
        return condition.report(request());
    }

    /** Quotas and policies change without an event of the request, so it is retried. */
    private Decision<ControllerStep> secretRefused(BucketAccess access) {
        String message = "Secret " + access.getSpec().applicationSecretName()
                + " with the credentials cannot be written: " + view.refusal();
        return CosiCondition.error(BucketAccessRequestPhase.SECRET_REJECTED, message)
                .report(request(), Result.retry(message), Operation.NONE);
    }

    private Decision<ControllerStep> secretInUse(BucketAccess access) {
        String message = "Secret " + access.getSpec().applicationSecretName()
                + " exists and is not owned by this request: delete it, or create a request with another"
                + " accessSecretName.";
        // The Secret may be of a deleted request of the same name. A Secret of another owner is not watched, so retry.
        return GracePeriod.OBSERVED.afterCreation(
                request(),
                view.now(),
                () -> CosiCondition.error(BucketAccessRequestPhase.SECRET_IN_USE, message)
                        .report(request(), Result.retry(message), Operation.NONE));
    }

    private Decision<ControllerStep> accessLost() {
        return CosiCondition.error(
                        BucketAccessRequestPhase.ACCESS_LOST,
                        "An administrator deleted BucketAccess "
                                + request().getSpec().bucketAccessName()
                                + ", so access is revoked. Delete this request and create a new one.")
                .report(request());
    }

    /** Checks the request, then creates the access. */
    private Decision<ControllerStep> withoutAccess() {
        if (view.namespaceUid().isEmpty()) {
            return Decision.done();
        }
        if (view.formerAccess()) {
            // Its loop deletes it, so that the sidecar revokes the former account; then this request gets another one.
            return Decision.done();
        }
        Optional<CosiCondition> contradiction = contradiction();
        if (contradiction.isPresent()) {
            return contradiction.get().report(request());
        }
        if (view.bucketRequest()
                .filter(found -> !Metadata.isBeingDeleted(found))
                .isEmpty()) {
            return notFound(
                    BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND,
                    "This namespace has no BucketRequest for the bucket (" + wanted() + "): access needs one.");
        }
        BucketRequest bucketRequest = view.bucketRequest().get();
        if (!CosiMetadata.hasFinalizer(bucketRequest) || view.bucket().isEmpty()) {
            return waitingFor(bucketRequest);
        }
        return check(bucketRequest, view.bucket().get());
    }

    private Decision<ControllerStep> check(BucketRequest bucketRequest, Bucket bucket) {
        String bucketName = "Bucket " + bucket.getMetadata().getName();
        if (!BucketPermission.isPermitted(bucket, request().getMetadata().getNamespace(), view.namespaceUid())) {
            return report(
                    BucketAccessRequestPhase.NAMESPACE_NOT_PERMITTED,
                    bucketName + " does not permit this namespace: an administrator has to add its name and"
                            + " uid to the Bucket's permittedNamespaces.");
        }
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        if (!bucketRequest.getSpec().wantedProtocol().equals(protocol)) {
            return waitingFor(bucketRequest);
        }
        if (Metadata.isBeingDeleted(bucket)) {
            return report(BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS, bucketName + " is being deleted.");
        }
        if (view.accessClass().isEmpty()) {
            return notFound(
                    BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND,
                    "BucketAccessClass " + request().getSpec().bucketAccessClassName() + " does not exist.");
        }
        BucketAccessClass accessClass = view.accessClass().get();
        Optional<CosiCondition> mismatch = mismatch(bucket, accessClass);
        if (mismatch.isPresent()) {
            return mismatch.get().report(request());
        }
        return bucket.provisioned()
                ? create(bucketRequest, bucket, accessClass)
                : notProvisioned(bucketRequest, bucket);
    }

    private Decision<ControllerStep> create(BucketRequest bucketRequest, Bucket bucket, BucketAccessClass accessClass) {
        String chosen = request().getSpec().bucketAccessName();
        String name = chosen.isEmpty() ? ObjectNames.access(ObjectKey.of(request()), view.nameTaken()) : chosen;
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        if (provisioner.isPresent() && (chosen.isEmpty() || !CosiMetadata.hasFinalizer(request()))) {
            return Decision.act(new ControllerStep.ReserveName(
                    request(),
                    name,
                    CosiMetadata.withSpec(
                            CosiMetadata.manage(request(), provisioner.get()), "bucketAccessName", name)));
        }
        if (!view.refusal().isEmpty()) {
            return CosiCondition.error(BucketAccessRequestPhase.CREATE_REJECTED, view.refusal())
                    .report(request(), Result.retry(view.refusal()), Operation.NONE);
        }
        return Decision.act(new ControllerStep.Create(
                request(), NewObjects.access(name, request(), bucketRequest, bucket, accessClass)));
    }

    private Optional<CosiCondition> contradiction() {
        String chosen = request().getSpec().bucketAccessName();
        // A backup restores the name without the finalizer, and with the hash of the former uid.
        if (!chosen.isEmpty() && !ObjectNames.isAccessOf(ObjectKey.of(request()), chosen)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.INVALID_REQUEST,
                    "bucketAccessName is set by the controller: create a new request without it."));
        }
        if (!chosen.isEmpty() && view.nameTaken()) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.NAME_TAKEN,
                    "Somebody else created BucketAccess " + chosen
                            + " at the same moment. Delete this request and create a new one."));
        }
        String instance = request().getSpec().bucketInstance();
        String bucket = view.bucketRequest()
                .map(found -> found.getSpec().bucketInstanceName())
                .orElse("");
        if (!instance.isEmpty() && !bucket.isEmpty() && !instance.equals(bucket)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.INVALID_REQUEST,
                    "bucketInstance is " + instance + ", but BucketRequest "
                            + request().getSpec().bucketRequestName() + " names " + bucket + "."));
        }
        return Optional.empty();
    }

    private Optional<CosiCondition> mismatch(Bucket bucket, BucketAccessClass accessClass) {
        String className = "BucketAccessClass " + accessClass.getMetadata().getName();
        if (!accessClass.getProvisioner().equals(bucket.getSpec().provisioner())) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROVISIONER,
                    className + " has provisioner " + accessClass.getProvisioner() + ", but the Bucket has "
                            + bucket.getSpec().provisioner() + "."));
        }
        String signature = bucket.getSpec().protocol().protocolSignature();
        Optional<Protocol> protocol = Protocol.of(signature);
        if (!accessClass.offeredProtocol().equals(protocol)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    className + " supports " + accessClass.getProtocol() + ", but the Bucket has protocol " + signature
                            + "."));
        }
        String wanted = request().getSpec().protocol();
        if (!wanted.isEmpty() && !Protocol.of(wanted).equals(protocol)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "The Bucket has protocol " + signature + ", not " + wanted + "."));
        }
        return Optional.empty();
    }

    /** The BucketRequest is not far enough; its error is shown here too. */
    private Decision<ControllerStep> waitingFor(BucketRequest bucketRequest) {
        String message = bucketRequest.status().message();
        boolean failed = bucketRequest.phase().text().startsWith("Err");
        if (!failed || message.isEmpty()) {
            return inProgress();
        }
        return CosiCondition.of(
                        BucketAccessRequestPhase.PENDING,
                        CosiReason.WAITING_FOR_BUCKET,
                        "BucketRequest " + bucketRequest.getMetadata().getName() + ": " + message)
                .report(request());
    }

    private Decision<ControllerStep> notProvisioned(BucketRequest bucketRequest, Bucket bucket) {
        // A Bucket that no sidecar serves is reported by its request, after a while.
        String problem =
                BucketProblem.isUnserved(bucket) ? bucketRequest.status().message() : BucketProblem.of(bucket);
        return problem.isEmpty()
                ? inProgress()
                : CosiCondition.of(BucketAccessRequestPhase.PENDING, CosiReason.WAITING_FOR_BUCKET, problem)
                        .report(request());
    }

    private Decision<ControllerStep> inProgress() {
        return CosiCondition.inProgress(BucketAccessRequestPhase.PENDING, request(), "The bucket is being created.");
    }

    private Decision<ControllerStep> notFound(BucketAccessRequestPhase phase, String message) {
        return GracePeriod.OBSERVED.afterCreation(request(), view.now(), () -> report(phase, message));
    }

    private String wanted() {
        String name = request().getSpec().bucketRequestName();
        return name.isEmpty() ? "bucketInstance " + request().getSpec().bucketInstance() : "bucketRequestName " + name;
    }

    private Decision<ControllerStep> report(BucketAccessRequestPhase phase, String message) {
        return CosiCondition.error(phase, message).report(request());
    }

    private BucketAccessRequest request() {
        return view.request();
    }
}
