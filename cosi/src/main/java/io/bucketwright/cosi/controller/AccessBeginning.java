package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is done next about a BucketAccessRequest that has no access yet: may it have one, and if so, order it. */
final class AccessBeginning {

    Decision<Step> decide(AccessRequestView view, BucketAccessRequest request) {
        if (view.namespaceUid().isEmpty()) {
            return Decision.done();
        }
        Optional<Said> wrong = contradiction(view, request);
        if (wrong.isPresent()) {
            return wrong.get().thenRest(request, view.now(), Result.done());
        }
        if (view.through().filter(through -> !Marks.leaving(through)).isEmpty()) {
            return complain(
                    view,
                    request,
                    BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND,
                    "No BucketRequest of this namespace leads to the bucket (" + wanted(request)
                            + "): access goes through one.");
        }
        BucketRequest through = view.through().get();
        if (!Marks.hasFinalizer(through) || view.bucket().isEmpty()) {
            return waiting(view, request, through);
        }
        return mayAccess(view, request, through, view.bucket().get());
    }

    private static Decision<Step> mayAccess(
            AccessRequestView view, BucketAccessRequest request, BucketRequest through, Bucket bucket) {
        String bucketName = bucket.getMetadata().getName();
        if (!Permission.isOpenTo(bucket, request.getMetadata().getNamespace(), view.namespaceUid())) {
            return say(
                            BucketAccessRequestPhase.NAMESPACE_NOT_PERMITTED,
                            "Bucket " + bucketName
                                    + " is not open to this namespace: an administrator adds it, by name and uid, to the"
                                    + " Bucket's permittedNamespaces.")
                    .thenRest(request, view.now(), Result.done());
        }
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        if (!through.getSpec().wantedProtocol().equals(protocol)) {
            return waiting(view, request, through);
        }
        if (Marks.leaving(bucket)) {
            return say(
                            BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                            "Bucket " + bucketName + " is being deleted.")
                    .thenRest(request, view.now(), Result.done());
        }
        if (view.accessClass().isEmpty()) {
            return complain(
                    view,
                    request,
                    BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND,
                    "There is no BucketAccessClass " + request.getSpec().bucketAccessClassName() + ".");
        }
        BucketAccessClass accessClass = view.accessClass().get();
        Optional<Said> unfit = misfit(request, bucket, accessClass);
        if (unfit.isPresent()) {
            return unfit.get().thenRest(request, view.now(), Result.done());
        }
        if (!bucket.getSpec().protocol().filled()) {
            return notMade(view, request, bucket);
        }
        return order(view, request, through, bucket, accessClass);
    }

    private static Decision<Step> order(
            AccessRequestView view,
            BucketAccessRequest request,
            BucketRequest through,
            Bucket bucket,
            BucketAccessClass accessClass) {
        String given = request.getSpec().bucketAccessName();
        String name = given.isEmpty()
                ? ObjectNames.access(
                        request.getMetadata().getNamespace(),
                        request.getMetadata().getName(),
                        request.getMetadata().getUid(),
                        view.nameTaken())
                : given;
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        if (provisioner.isPresent() && (given.isEmpty() || !Marks.hasFinalizer(request))) {
            Map<String, Object> fields = new HashMap<>();
            fields.put("metadata", Marks.metadata(request, NewObjects.labels(provisioner.get())));
            fields.put("spec", Map.of("bucketAccessName", name));
            return Decision.act(new Step.TakeName(request, name, fields));
        }
        return Decision.act(new Step.Create(NewObjects.access(name, request, through, bucket, accessClass)));
    }

    private static Optional<Said> contradiction(AccessRequestView view, BucketAccessRequest request) {
        String given = request.getSpec().bucketAccessName();
        if (!given.isEmpty() && (!Marks.hasFinalizer(request) || !names(request).contains(given))) {
            return Optional.of(say(
                    BucketAccessRequestPhase.INVALID_REQUEST,
                    "bucketAccessName is filled in by the controller: make a new request without it."));
        }
        if (!given.isEmpty() && view.nameTaken()) {
            return Optional.of(say(
                    BucketAccessRequestPhase.NAME_TAKEN,
                    "Somebody else made a BucketAccess " + given
                            + " in the same moment. Delete this request and make a new one."));
        }
        String instance = request.getSpec().bucketInstance();
        String through =
                view.through().map(it -> it.getSpec().bucketInstanceName()).orElse("");
        if (!instance.isEmpty() && !through.isEmpty() && !instance.equals(through)) {
            return Optional.of(say(
                    BucketAccessRequestPhase.INVALID_REQUEST,
                    "bucketInstance is " + instance + ", but BucketRequest "
                            + request.getSpec().bucketRequestName() + " leads to " + through + "."));
        }
        return Optional.empty();
    }

    private static Optional<Said> misfit(BucketAccessRequest request, Bucket bucket, BucketAccessClass accessClass) {
        String className = accessClass.getMetadata().getName();
        if (!accessClass.getProvisioner().equals(bucket.getSpec().provisioner())) {
            return Optional.of(say(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROVISIONER,
                    "BucketAccessClass " + className + " is for provisioner " + accessClass.getProvisioner()
                            + ", but the Bucket is served by "
                            + bucket.getSpec().provisioner() + "."));
        }
        String signature = bucket.getSpec().protocol().protocolSignature();
        Optional<Protocol> protocol = Protocol.of(signature);
        if (!accessClass.offeredProtocol().equals(protocol)) {
            return Optional.of(say(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "BucketAccessClass " + className + " is for " + accessClass.getProtocol()
                            + ", but the Bucket speaks " + signature + "."));
        }
        String wanted = request.getSpec().protocol();
        if (!wanted.isEmpty() && !Protocol.of(wanted).equals(protocol)) {
            return Optional.of(say(
                    BucketAccessRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "The Bucket speaks " + signature + ", not " + wanted + "."));
        }
        return Optional.empty();
    }

    /** The bucket's own request has not come far enough; if it says why, so does this one. */
    private static Decision<Step> waiting(AccessRequestView view, BucketAccessRequest request, BucketRequest through) {
        String why = through.status().message();
        boolean stuck = through.phase().text().startsWith("Err");
        if (!stuck || why.isEmpty()) {
            return Decision.done();
        }
        return Said.of(
                        BucketAccessRequestPhase.PENDING,
                        Said.WAITING_FOR_BUCKET,
                        "BucketRequest " + through.getMetadata().getName() + ": " + why)
                .thenRest(request, view.now(), Result.done());
    }

    private static Decision<Step> notMade(AccessRequestView view, BucketAccessRequest request, Bucket bucket) {
        String trouble = BucketTrouble.of(bucket);
        if (trouble.isEmpty()) {
            return Decision.done();
        }
        return Said.of(BucketAccessRequestPhase.PENDING, Said.WAITING_FOR_BUCKET, trouble)
                .inPassing()
                .thenRest(request, view.now(), Result.done());
    }

    private static Decision<Step> complain(
            AccessRequestView view, BucketAccessRequest request, BucketAccessRequestPhase phase, String message) {
        return Patience.with(request, view.now())
                .<Decision<Step>>map(Decision::finish)
                .orElseGet(() -> say(phase, message).thenRest(request, view.now(), Result.done()));
    }

    private static Said say(BucketAccessRequestPhase phase, String message) {
        return Said.of(phase, phase.text().substring("Err".length()), message);
    }

    private static String wanted(BucketAccessRequest request) {
        String name = request.getSpec().bucketRequestName();
        return name.isEmpty() ? "bucketInstance " + request.getSpec().bucketInstance() : "bucketRequestName " + name;
    }

    private static List<String> names(BucketAccessRequest request) {
        return ObjectNames.accesses(
                request.getMetadata().getNamespace(),
                request.getMetadata().getName(),
                request.getMetadata().getUid());
    }
}
