package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.cosi.controller.objects.BucketPermission;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.NewObjects;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.cosi.controller.steps.BucketProblem;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.cosi.controller.steps.CosiCondition;
import io.bucketwright.cosi.controller.steps.GracePeriod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;

/** Decides the next step for a BucketAccessRequest without a BucketAccess: checks the request, then creates the access. */
final class NewAccessRequestDecision {

    Decision<ControllerStep> decide(AccessRequestView view, BucketAccessRequest request) {
        if (view.namespaceUid().isEmpty()) {
            return Decision.done();
        }
        Optional<CosiCondition> contradiction = contradiction(view, request);
        if (contradiction.isPresent()) {
            return contradiction.get().report(request);
        }
        if (view.bucketRequest()
                .filter(found -> !Metadata.isBeingDeleted(found))
                .isEmpty()) {
            return notFound(
                    view,
                    request,
                    BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND,
                    "This namespace has no BucketRequest for the bucket (" + wanted(request) + "): access needs one.");
        }
        BucketRequest bucketRequest = view.bucketRequest().get();
        if (!CosiMetadata.hasFinalizer(bucketRequest) || view.bucket().isEmpty()) {
            return waiting(request, bucketRequest);
        }
        return check(view, request, bucketRequest, view.bucket().get());
    }

    private static Decision<ControllerStep> check(
            AccessRequestView view, BucketAccessRequest request, BucketRequest bucketRequest, Bucket bucket) {
        String bucketName = "Bucket " + bucket.getMetadata().getName();
        if (!BucketPermission.isPermitted(bucket, request.getMetadata().getNamespace(), view.namespaceUid())) {
            return CosiCondition.error(
                            BucketAccessRequestPhase.NAMESPACE_NOT_PERMITTED,
                            bucketName + " does not permit this namespace: an administrator has to add its name and"
                                    + " uid to the Bucket's permittedNamespaces.")
                    .report(request);
        }
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        if (!bucketRequest.getSpec().wantedProtocol().equals(protocol)) {
            return waiting(request, bucketRequest);
        }
        if (Metadata.isBeingDeleted(bucket)) {
            return CosiCondition.error(
                            BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS, bucketName + " is being deleted.")
                    .report(request);
        }
        if (view.accessClass().isEmpty()) {
            return notFound(
                    view,
                    request,
                    BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND,
                    "BucketAccessClass " + request.getSpec().bucketAccessClassName() + " does not exist.");
        }
        BucketAccessClass accessClass = view.accessClass().get();
        Optional<CosiCondition> mismatch = mismatch(request, bucket, accessClass);
        if (mismatch.isPresent()) {
            return mismatch.get().report(request);
        }
        return bucket.getSpec().protocol().provisioned()
                ? create(view, request, bucketRequest, bucket, accessClass)
                : notProvisioned(request, bucket);
    }

    private static Decision<ControllerStep> create(
            AccessRequestView view,
            BucketAccessRequest request,
            BucketRequest bucketRequest,
            Bucket bucket,
            BucketAccessClass accessClass) {
        String chosen = request.getSpec().bucketAccessName();
        String name = chosen.isEmpty() ? ObjectNames.access(ObjectKey.of(request), view.nameTaken()) : chosen;
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        if (provisioner.isPresent() && (chosen.isEmpty() || !CosiMetadata.hasFinalizer(request))) {
            return Decision.act(new ControllerStep.ReserveName(
                    request,
                    name,
                    CosiMetadata.withSpec(CosiMetadata.manage(request, provisioner.get()), "bucketAccessName", name)));
        }
        return Decision.act(
                new ControllerStep.Create(NewObjects.access(name, request, bucketRequest, bucket, accessClass)));
    }

    private static Optional<CosiCondition> contradiction(AccessRequestView view, BucketAccessRequest request) {
        String chosen = request.getSpec().bucketAccessName();
        if (!chosen.isEmpty()
                && (!CosiMetadata.hasFinalizer(request)
                        || !ObjectNames.accesses(ObjectKey.of(request)).contains(chosen))) {
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
        String instance = request.getSpec().bucketInstance();
        String bucket = view.bucketRequest()
                .map(found -> found.getSpec().bucketInstanceName())
                .orElse("");
        if (!instance.isEmpty() && !bucket.isEmpty() && !instance.equals(bucket)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.INVALID_REQUEST,
                    "bucketInstance is " + instance + ", but BucketRequest "
                            + request.getSpec().bucketRequestName() + " names " + bucket + "."));
        }
        return Optional.empty();
    }

    private static Optional<CosiCondition> mismatch(
            BucketAccessRequest request, Bucket bucket, BucketAccessClass accessClass) {
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
        String wanted = request.getSpec().protocol();
        if (!wanted.isEmpty() && !Protocol.of(wanted).equals(protocol)) {
            return Optional.of(CosiCondition.error(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "The Bucket has protocol " + signature + ", not " + wanted + "."));
        }
        return Optional.empty();
    }

    /** The BucketRequest is not far enough; its error is shown here too. */
    private static Decision<ControllerStep> waiting(BucketAccessRequest request, BucketRequest bucketRequest) {
        String message = bucketRequest.status().message();
        boolean failed = bucketRequest.phase().text().startsWith("Err");
        if (!failed || message.isEmpty()) {
            return Decision.done();
        }
        return CosiCondition.of(
                        BucketAccessRequestPhase.PENDING,
                        CosiCondition.WAITING_FOR_BUCKET,
                        "BucketRequest " + bucketRequest.getMetadata().getName() + ": " + message)
                .report(request);
    }

    private static Decision<ControllerStep> notProvisioned(BucketAccessRequest request, Bucket bucket) {
        String problem = BucketProblem.of(bucket);
        return problem.isEmpty()
                ? Decision.done()
                : CosiCondition.varying(BucketAccessRequestPhase.PENDING, CosiCondition.WAITING_FOR_BUCKET, problem)
                        .report(request);
    }

    private static Decision<ControllerStep> notFound(
            AccessRequestView view, BucketAccessRequest request, BucketAccessRequestPhase phase, String message) {
        return GracePeriod.afterCreation(
                request, view.now(), () -> CosiCondition.error(phase, message).report(request));
    }

    private static String wanted(BucketAccessRequest request) {
        String name = request.getSpec().bucketRequestName();
        return name.isEmpty() ? "bucketInstance " + request.getSpec().bucketInstance() : "bucketRequestName " + name;
    }
}
