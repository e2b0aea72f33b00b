package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestPhase;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is done next about a BucketRequest that is there to stay. */
final class RequestDecision {

    /** Phases that only a request can have whose Bucket was there once. */
    private static final Set<BucketRequestPhase> HAD_A_BUCKET =
            Set.of(BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS, BucketRequestPhase.BUCKET_LOST);

    private final RequestLeaving leaving = new RequestLeaving();

    Decision<Step> decide(RequestView view) {
        if (view.request().isEmpty()) {
            return Decision.done();
        }
        BucketRequest request = view.request().get();
        if (Marks.leaving(request)) {
            return leaving.decide(view, request);
        }
        if (view.namespaceUid().isEmpty()) {
            // Its namespace comes with the next event, or is gone and takes the request along.
            return Decision.done();
        }
        if (request.getSpec().bucketInstanceName().isEmpty()) {
            return make(
                    view,
                    request,
                    ObjectNames.bucket(namespace(request), name(request), uid(request), view.nameTaken()));
        }
        return view.bucket().map(bucket -> bind(view, request, bucket)).orElseGet(() -> missing(view, request));
    }

    private static Decision<Step> make(RequestView view, BucketRequest request, String bucketName) {
        return switch (view.bucketClass()) {
            case ClassChoice.Chosen(BucketClass bucketClass) -> makeFrom(view, request, bucketName, bucketClass);
            case ClassChoice.Missing(String missing) ->
                complain(
                        view,
                        request,
                        BucketRequestPhase.BUCKET_CLASS_NOT_FOUND,
                        "There is no BucketClass " + missing + ": make it, or request one that exists.");
            case ClassChoice.NoDefault() ->
                complain(
                        view,
                        request,
                        BucketRequestPhase.NO_DEFAULT_BUCKET_CLASS,
                        "No BucketClass is the default for " + request.getSpec().protocol()
                                + ": name one in bucketClassName.");
            case ClassChoice.Ambiguous ambiguous ->
                complain(
                        view,
                        request,
                        BucketRequestPhase.TWO_DEFAULT_BUCKET_CLASSES,
                        "More than one BucketClass is the default for "
                                + request.getSpec().protocol() + " (" + String.join(", ", ambiguous.names())
                                + "): name one in bucketClassName.");
        };
    }

    private static Decision<Step> makeFrom(
            RequestView view, BucketRequest request, String bucketName, BucketClass bucketClass) {
        Optional<Protocol> protocol = request.getSpec().wantedProtocol();
        Optional<Provisioner> provisioner = bucketClass.servedBy();
        if (protocol.isEmpty() || provisioner.isEmpty() || !protocol.equals(bucketClass.offeredProtocol())) {
            return complain(
                    view,
                    request,
                    BucketRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    "BucketClass " + bucketClass.getMetadata().getName() + " is for " + bucketClass.getProtocol()
                            + ", not for " + request.getSpec().protocol() + ".");
        }
        if (!Marks.hasFinalizer(request)
                || request.getSpec().bucketInstanceName().isEmpty()) {
            Map<String, Object> metadata = Marks.metadata(request, NewObjects.labels(provisioner.get()));
            metadata.put("annotations", Map.of(Marks.ORIGIN, Marks.NEW));
            Map<String, Object> fields = new HashMap<>();
            fields.put("metadata", metadata);
            fields.put("spec", Map.of("bucketInstanceName", bucketName));
            return Decision.act(new Step.TakeName(request, bucketName, fields));
        }
        return Decision.act(new Step.Create(
                NewObjects.bucket(bucketName, request, bucketClass, protocol.get(), view.namespaceUid())));
    }

    /** The Bucket is not there: not yet, or not any more. */
    private static Decision<Step> missing(RequestView view, BucketRequest request) {
        String bucketName = request.getSpec().bucketInstanceName();
        if (HAD_A_BUCKET.contains(request.phase()) || Ends.wasBound(request)) {
            return say(
                            BucketRequestPhase.BUCKET_LOST,
                            "Bucket " + bucketName
                                    + " was deleted, and nothing is made in its place: its data may be gone."
                                    + " Delete this request and make a new one.")
                    .thenRest(request, view.now(), Result.done());
        }
        if (isNew(request)) {
            return make(view, request, bucketName);
        }
        return complain(
                view,
                request,
                BucketRequestPhase.BUCKET_NOT_FOUND,
                "There is no Bucket " + bucketName + ": an administrator makes it, or leave bucketInstanceName out.");
    }

    private static Decision<Step> bind(RequestView view, BucketRequest request, Bucket bucket) {
        boolean bound = isBound(bucket, request);
        if (!bound) {
            Optional<Said> refusal = refusal(view, request, bucket);
            if (refusal.isPresent()) {
                return refusal.get().thenRest(request, view.now(), Result.done());
            }
        }
        if (Marks.leaving(bucket)) {
            return say(
                            BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                            "Bucket " + bucket.getMetadata().getName() + " is being deleted."
                                    + (bound ? " It goes when all access to it is given back." : ""))
                    .thenRest(request, view.now(), Result.done());
        }
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        if (provisioner.isPresent() && !Marks.isMarked(request, NewObjects.labels(provisioner.get()))) {
            return Decision.act(new Step.Merge(
                    request, Map.of("metadata", Marks.metadata(request, NewObjects.labels(provisioner.get())))));
        }
        return progress(view, request, bucket, bound);
    }

    private static Decision<Step> progress(RequestView view, BucketRequest request, Bucket bucket, boolean bound) {
        String bucketName = bucket.getMetadata().getName();
        if (bound || Ends.wasBound(request)) {
            return Said.of(BucketRequestPhase.BOUND, "Bound", "Access to Bucket " + bucketName + " is granted.")
                    .thenRest(
                            request,
                            view.now(),
                            Result.done(),
                            Ends.created(request, bucket.getSpec().provisioner()));
        }
        String trouble = BucketTrouble.of(bucket);
        if (!bucket.getSpec().protocol().filled()) {
            if (trouble.isEmpty()) {
                return Decision.done();
            }
            return Said.of(BucketRequestPhase.CREATING, Said.FAILED_CREATE_BUCKET, trouble)
                    .inPassing()
                    .thenRest(request, view.now(), Result.done());
        }
        if (view.accessAsked()) {
            return Decision.done();
        }
        return Said.of(
                        BucketRequestPhase.CREATING,
                        "WaitingForAccessRequest",
                        "Bucket " + bucketName + " is there; a BucketAccessRequest with bucketRequestName "
                                + request.getMetadata().getName() + " opens it.")
                .thenRest(request, view.now(), Result.done());
    }

    /** Why this request may not use that Bucket; empty if it may. */
    private static Optional<Said> refusal(RequestView view, BucketRequest request, Bucket bucket) {
        String bucketName = bucket.getMetadata().getName();
        if (Permission.isMadeFor(bucket, request)) {
            return Optional.empty();
        }
        if (isNew(request) && !isSuccessor(bucket, request)) {
            return Optional.of(say(
                    BucketRequestPhase.BUCKET_NAME_TAKEN,
                    "Somebody else made a Bucket " + bucketName
                            + " in the same moment. Delete this request and make a new one."));
        }
        if (!Permission.isOpenTo(bucket, namespace(request), view.namespaceUid())) {
            return Optional.of(say(
                    BucketRequestPhase.NAMESPACE_NOT_PERMITTED,
                    "Bucket " + bucketName
                            + " is not open to this namespace: an administrator adds it, by name and uid,"
                            + " to the Bucket's permittedNamespaces."));
        }
        if (!request.getSpec()
                .wantedProtocol()
                .equals(bucket.getSpec().protocol().protocol())) {
            return Optional.of(say(
                    BucketRequestPhase.BUCKET_DOES_NOT_SUPPORT_PROTOCOL,
                    "Bucket " + bucketName + " speaks "
                            + bucket.getSpec().protocol().protocolSignature() + ", not "
                            + request.getSpec().protocol() + "."));
        }
        return Optional.empty();
    }

    /** Whether the Bucket is the one that this request, in an earlier life that a backup brought back, was made. */
    private static boolean isSuccessor(Bucket bucket, BucketRequest request) {
        return bucket.getSpec()
                .madeFor()
                .filter(creator -> creator.namespace().equals(namespace(request))
                        && creator.name().equals(name(request)))
                .isPresent();
    }

    /** Whether we chose the name it has, for a Bucket to be made. */
    private static boolean isNew(BucketRequest request) {
        return Marks.hasFinalizer(request)
                && Marks.annotation(request, Marks.ORIGIN).equals(Marks.NEW)
                && ObjectNames.buckets(namespace(request), name(request), uid(request))
                        .contains(request.getSpec().bucketInstanceName());
    }

    private static boolean isBound(Bucket bucket, BucketRequest request) {
        String suffix = ":" + namespace(request) + "/" + name(request);
        return bucket.getSpec().bindings().stream().anyMatch(binding -> binding.endsWith(suffix));
    }

    private static Decision<Step> complain(
            RequestView view, BucketRequest request, BucketRequestPhase phase, String message) {
        return Patience.with(request, view.now())
                .<Decision<Step>>map(Decision::finish)
                .orElseGet(() -> say(phase, message).thenRest(request, view.now(), Result.done()));
    }

    private static Said say(BucketRequestPhase phase, String message) {
        return Said.of(phase, phase.text().substring("Err".length()), message);
    }

    private static String namespace(BucketRequest request) {
        return request.getMetadata().getNamespace();
    }

    private static String name(BucketRequest request) {
        return request.getMetadata().getName();
    }

    private static String uid(BucketRequest request) {
        return request.getMetadata().getUid();
    }
}
