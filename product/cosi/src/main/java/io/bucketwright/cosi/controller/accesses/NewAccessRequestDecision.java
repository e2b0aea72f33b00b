package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.controller.objects.BucketPermission;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.NewObjects;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.cosi.controller.steps.BucketProblem;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.cosi.controller.steps.CosiCondition;
import io.bucketwright.cosi.controller.steps.GracePeriod;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;

/** Decides the next step for a BucketAccessRequest without a BucketAccess: checks the request, then creates the access. */
record NewAccessRequestDecision(AccessRequestView view) {

    Decision<ControllerStep> decide() {
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
            return waiting(bucketRequest);
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
            return waiting(bucketRequest);
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
    private Decision<ControllerStep> waiting(BucketRequest bucketRequest) {
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
