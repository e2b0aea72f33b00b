package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.requests.GracePeriod;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
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

/** Decides the next step for a BucketRequest. */
record BucketRequestDecision(BucketRequestObservation view) {

    /** Phases of a request whose Bucket existed once. */
    private static final Set<BucketRequestPhase> HAD_BUCKET =
            Set.of(BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS, BucketRequestPhase.BUCKET_DELETED);

    public Decision<ControllerStep> decide() {
        BucketRequest request = request();
        if (Metadata.isBeingDeleted(request)) {
            return deleted();
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
                    BucketRequestPhase.BUCKET_DELETED,
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
                            RequestOperations.bound(request(), bucket.getSpec().provisioner()));
        }
        if (!bucket.provisioned()) {
            return creating(bucket);
        }
        if (bound || view.accessRequested()) {
            return inProgress(
                    bucket,
                    bound ? "exists, access was granted and is being delivered" : "exists, access is being granted");
        }
        return GracePeriod.OBSERVED.afterCreation(
                request(),
                view.now(),
                () -> CosiCondition.of(
                                BucketRequestPhase.CREATING,
                                CosiReason.WAITING_FOR_ACCESS_REQUEST,
                                "Bucket " + bucketName + " exists. Create a BucketAccessRequest with bucketRequestName "
                                        + request().getMetadata().getName() + " to get credentials.")
                        .report(request()));
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

    /**
     * Its accesses are revoked first, then the Bucket is deleted if its release policy is Delete, then the finalizer is
     * removed.
     */
    private Decision<ControllerStep> deleted() {
        BucketRequest request = view.request();
        if (!CosiMetadata.hasFinalizer(request)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            return GracePeriod.OBSERVED.afterDeletion(request, view.now(), this::inUse);
        }
        String provisioner =
                view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
        Operation completed = RequestOperations.deleted(request, provisioner);
        if (view.undecided()
                && view.bucket().filter(BucketRequestDecision::isDeletable).isPresent()) {
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
