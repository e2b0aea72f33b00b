package io.bucketwright.cosi.controller.requests;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.controller.objects.BucketBinding;
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
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides the next step for a BucketRequest; {@link DeletedBucketRequestDecision} for one that is being deleted. */
public record BucketRequestDecision(BucketRequestView view) {

    /** Phases of a request whose Bucket existed once. */
    private static final Set<BucketRequestPhase> HAD_BUCKET =
            Set.of(BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS, BucketRequestPhase.BUCKET_LOST);

    public Decision<ControllerStep> decide() {
        BucketRequest request = request();
        if (Metadata.isBeingDeleted(request)) {
            return new DeletedBucketRequestDecision(view).decide();
        }
        Optional<Problem> tooLarge = Problem.ofSize(request);
        if (tooLarge.isPresent()) {
            return CosiCondition.tooLarge(request.phase(), tooLarge.get()).report(request);
        }
        if (view.namespaceUid().isEmpty()) {
            // Either the namespace's event follows, or the namespace is deleted together with the request.
            return Decision.done();
        }
        if (request.getSpec().bucketInstanceName().isEmpty()) {
            return create(ObjectNames.bucket(ObjectKey.of(request), view.nameTaken()));
        }
        return view.bucket().map(this::bind).orElseGet(this::missing);
    }

    private Decision<ControllerStep> create(String bucketName) {
        List<BucketClass> classes = view.classes();
        if (classes.size() == 1) {
            return createFrom(bucketName, classes.getFirst());
        }
        String wanted = request().getSpec().bucketClassName();
        if (!wanted.isEmpty()) {
            return error(
                    BucketRequestPhase.BUCKET_CLASS_NOT_FOUND,
                    "BucketClass " + wanted + " does not exist: create it, or request an existing one.");
        }
        String protocol = request().getSpec().protocol();
        if (classes.isEmpty()) {
            return error(
                    BucketRequestPhase.NO_DEFAULT_BUCKET_CLASS,
                    "No BucketClass is the default for " + protocol + ": set bucketClassName.");
        }
        String names =
                classes.stream().map(found -> found.getMetadata().getName()).collect(Collectors.joining(", "));
        return error(
                BucketRequestPhase.MULTIPLE_DEFAULT_BUCKET_CLASSES,
                "More than one BucketClass is the default for " + protocol + " (" + names + "): set bucketClassName.");
    }

    private Decision<ControllerStep> createFrom(String bucketName, BucketClass bucketClass) {
        Optional<Protocol> protocol = request().getSpec().wantedProtocol();
        Optional<Provisioner> provisioner = bucketClass.servedBy();
        if (protocol.isEmpty() || provisioner.isEmpty() || !protocol.equals(bucketClass.offeredProtocol())) {
            return error(
                    BucketRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "BucketClass " + bucketClass.getMetadata().getName() + " supports " + bucketClass.getProtocol()
                            + ", not " + request().getSpec().protocol() + ".");
        }
        if (!CosiMetadata.hasFinalizer(request())
                || request().getSpec().bucketInstanceName().isEmpty()) {
            MetadataPatch metadata = CosiMetadata.manage(request(), provisioner.get())
                    .withAnnotations(Map.of(CosiMetadata.ORIGIN, CosiMetadata.origin(request())));
            return Decision.act(new ControllerStep.ReserveName(
                    request(), bucketName, CosiMetadata.withSpec(metadata, "bucketInstanceName", bucketName)));
        }
        if (!view.refusal().isEmpty()) {
            // Quotas and policies change without an event of the request.
            return CosiCondition.error(BucketRequestPhase.CREATE_REJECTED, view.refusal())
                    .report(request(), Result.retry(view.refusal()), Operation.NONE);
        }
        return Decision.act(new ControllerStep.Create(
                request(), NewObjects.bucket(bucketName, request(), bucketClass, protocol.get(), view.namespaceUid())));
    }

    /** The Bucket does not exist: not yet, or no longer. */
    private Decision<ControllerStep> missing() {
        String bucketName = request().getSpec().bucketInstanceName();
        if (HAD_BUCKET.contains(request().phase()) || CosiCondition.wasBound(request())) {
            return report(
                    BucketRequestPhase.BUCKET_LOST,
                    "Bucket " + bucketName
                            + " was deleted, possibly with its data, and is not created again."
                            + " Delete this request and create a new one.");
        }
        if (isNew()) {
            return create(bucketName);
        }
        return error(
                BucketRequestPhase.BUCKET_NOT_FOUND,
                "Bucket " + bucketName
                        + " does not exist: ask an administrator to create it, or omit bucketInstanceName.");
    }

    private Decision<ControllerStep> bind(Bucket bucket) {
        boolean bound = BucketBinding.isBound(bucket, request());
        if (!bound) {
            Optional<CosiCondition> refusal = refusal(bucket);
            if (refusal.isPresent()) {
                return refusal.get().report(request());
            }
        }
        if (Metadata.isBeingDeleted(bucket)) {
            return report(
                    BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                    "Bucket " + bucket.getMetadata().getName() + " is being deleted."
                            + (bound ? " The deletion waits until all access is revoked." : ""));
        }
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        if (provisioner.isPresent()
                && !CosiMetadata.manage(request(), provisioner.get()).isEmpty()) {
            return Decision.act(new ControllerStep.Merge(
                    request(), CosiMetadata.manage(request(), provisioner.get()).fields()));
        }
        return progress(bucket, bound);
    }

    private Decision<ControllerStep> progress(Bucket bucket, boolean bound) {
        String bucketName = bucket.getMetadata().getName();
        if ((bound && view.delivered()) || CosiCondition.wasBound(request())) {
            return CosiCondition.bound(BucketRequestPhase.BOUND, "Access to Bucket " + bucketName + " is granted.")
                    .report(
                            request(),
                            Result.done(),
                            Operation.bound(request(), bucket.getSpec().provisioner()));
        }
        if (!bucket.provisioned()) {
            return creating(bucket);
        }
        if (bound || view.accessRequested()) {
            return inProgress(
                    bucket,
                    bound ? "exists, access was granted and is being delivered" : "exists, access is being granted");
        }
        return CosiCondition.of(
                        BucketRequestPhase.CREATING,
                        CosiReason.WAITING_FOR_ACCESS_REQUEST,
                        "Bucket " + bucketName + " exists. Create a BucketAccessRequest with bucketRequestName "
                                + request().getMetadata().getName() + " to get credentials.")
                .report(request());
    }

    private Decision<ControllerStep> inProgress(Bucket bucket, String state) {
        return CosiCondition.inProgress(
                BucketRequestPhase.CREATING,
                request(),
                "Bucket " + bucket.getMetadata().getName() + " " + state + ".");
    }

    private Decision<ControllerStep> creating(Bucket bucket) {
        // An error phase is over now that the Bucket exists.
        if (BucketProblem.isUnserved(bucket) && request().phase() == BucketRequestPhase.CREATING) {
            return GracePeriod.SLOW.afterCreation(
                    bucket,
                    view.now(),
                    () -> CosiCondition.of(
                                    BucketRequestPhase.CREATING,
                                    CosiReason.WAITING_FOR_PROVISIONER,
                                    BucketProblem.unserved(bucket))
                            .report(request()));
        }
        String problem = BucketProblem.of(bucket);
        return problem.isEmpty()
                ? inProgress(bucket, "is being created")
                : CosiCondition.of(BucketRequestPhase.CREATING, CosiReason.FAILED_CREATE_BUCKET, problem)
                        .report(request());
    }

    /** Why this request may not use the Bucket; empty if it may. */
    private Optional<CosiCondition> refusal(Bucket bucket) {
        String bucketName = bucket.getMetadata().getName();
        if (BucketPermission.isCreatedFor(bucket, request().getMetadata().getUid())) {
            return Optional.empty();
        }
        if (isNew() && !isRestored(bucket)) {
            return Optional.of(CosiCondition.error(
                    BucketRequestPhase.BUCKET_NAME_TAKEN,
                    "Somebody else created Bucket " + bucketName
                            + " at the same moment. Delete this request and create a new one."));
        }
        if (!BucketPermission.isPermitted(bucket, request().getMetadata().getNamespace(), view.namespaceUid())) {
            return Optional.of(CosiCondition.error(
                    BucketRequestPhase.NAMESPACE_NOT_PERMITTED,
                    "Bucket " + bucketName + " does not permit this namespace: an administrator has to add its name"
                            + " and uid to the Bucket's permittedNamespaces."));
        }
        if (!request()
                .getSpec()
                .wantedProtocol()
                .equals(bucket.getSpec().protocol().protocol())) {
            return Optional.of(CosiCondition.error(
                    BucketRequestPhase.BUCKET_DOES_NOT_SUPPORT_PROTOCOL,
                    "Bucket " + bucketName + " supports "
                            + bucket.getSpec().protocol().protocolSignature() + ", not "
                            + request().getSpec().protocol() + "."));
        }
        return Optional.empty();
    }

    /** Whether the Bucket was created for a request of this name, which a backup restored with another uid. */
    private boolean isRestored(Bucket bucket) {
        return bucket.getSpec()
                .creator()
                .filter(creator ->
                        creator.namespace().equals(request().getMetadata().getNamespace())
                                && creator.name().equals(request().getMetadata().getName()))
                .isPresent();
    }

    /** Whether the controller chose the Bucket's name, for a Bucket that it creates. */
    private boolean isNew() {
        return CosiMetadata.hasFinalizer(request())
                && CosiMetadata.isNew(request())
                && ObjectNames.buckets(ObjectKey.of(request()))
                        .contains(request().getSpec().bucketInstanceName());
    }

    private Decision<ControllerStep> error(BucketRequestPhase phase, String message) {
        return GracePeriod.OBSERVED.afterCreation(request(), view.now(), () -> report(phase, message));
    }

    private Decision<ControllerStep> report(BucketRequestPhase phase, String message) {
        return CosiCondition.error(phase, message).report(request());
    }

    private BucketRequest request() {
        return view.request();
    }
}
