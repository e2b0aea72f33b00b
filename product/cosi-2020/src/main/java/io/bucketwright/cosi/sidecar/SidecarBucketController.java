package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.SidecarBucketState.Answer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.transfer.NamespaceUids;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.runtime.status.ReadyCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Observes, decides and acts for Buckets. */
final class SidecarBucketController {

    private final SidecarContext context;
    private final EventRecorder events;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;

    private final InFlightState<ObjectKey, SidecarBucketState> inFlight;

    private SidecarBucketController(SidecarContext context) {
        this.context = context;
        this.events = context.runtime().events();
        this.inFlight = context.runtime().inFlight(SidecarBucketState.NONE);
        this.calls = ConcurrencyLimits.forWorkers(context.workers());
    }

    /** Registers the controller with the process. */
    public static void register(SidecarContext context) {
        SidecarBucketController loop = new SidecarBucketController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller("cosi-bucket-sidecar", loop::observe, SidecarBucketDecision::decide, loop::act)
                .workers(context.workers())
                .tenants(key -> context.caches()
                        .buckets
                        .get("", key.name())
                        .flatMap(bucket -> bucket.getSpec().creator())
                        .map(BucketRequestRef::namespace))
                .inFlight(loop.inFlight)
                .limits(loop.calls)
                .watch(context.caches().buckets, Function.identity())
                .watchRelated(context.caches().accesses, context.caches()::bucketKeyOf)
                .watchRelated(context.caches().secrets, context.caches()::incompleteBucketsOf);
        context.secrets().watchBy(controller, context::bucketsWith, context::bucketsWithSecretIn);
        context.driver()
                .onChange(
                        () -> context.caches().buckets.list().forEach(bucket -> controller.add(ObjectKey.of(bucket))));
    }

    SidecarBucketObservation observe(ObjectKey key) {
        Optional<Bucket> bucket = context.caches().bucket(key.name(), key.uid());
        return new SidecarBucketObservation(
                bucket,
                bucket.map(this::accesses).orElse(SidecarBucketObservation.Accesses.NONE),
                context.preconditions(bucket.orElse(null)),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    private SidecarBucketObservation.Accesses accesses(Bucket bucket) {
        List<BucketAccess> all = context.caches().accessesOf(bucket).toList();
        return new SidecarBucketObservation.Accesses(
                all.size(),
                all.stream().filter(access -> !Metadata.isBeingDeleted(access)).count(),
                SidecarCaches.isIncomplete(bucket)
                        ? all.stream()
                                .flatMap(access -> context.caches().secretOf(access).stream())
                                .map(ConnectionFields::in)
                                .findFirst()
                        : Optional.empty());
    }

    Outcome act(SidecarBucketStep step) {
        return switch (step) {
            case SidecarBucketStep.CallDriver call ->
                calls.act(
                        call.method(),
                        ObjectKey.of(call.bucket()),
                        () -> call.method() == DriverMethod.CREATE_BUCKET ? create(call) : delete(call));
            case SidecarBucketStep.ChangeAccess change ->
                calls.act(DriverMethod.CREATE_BUCKET, ObjectKey.of(change.bucket()), () -> changeAccess(change));
            case SidecarBucketStep.WriteConnection write -> writeConnection(write);
            case SidecarBucketStep.RejectTransfer reject ->
                write(reject.bucket(), withoutTransferRequest(reject.bucket()));
            case SidecarBucketStep.ConfirmTransfer confirm -> confirmTransfer(confirm.bucket());
            case SidecarBucketStep.RecordTransfer record -> recordTransfer(record.bucket());
            case SidecarBucketStep.UpdateStatus update -> updateStatus(update);
        };
    }

    private Outcome create(SidecarBucketStep.CallDriver step) {
        boolean transferCheck = SidecarBucketDecision.isTransferCheck(step.bucket());
        return context.driver()
                .driver()
                .create(
                        CosiOrders.create(step.bucket(), transferCheck, step.secrets()),
                        () -> inFlight.remaining(ObjectKey.of(step.bucket())))
                .then(created -> ConnectionFields.of(step.bucket(), created))
                .outcome(
                        patch -> succeeded(step.bucket(), SidecarBucketState.created(patch)),
                        transferCheck ? problem -> checkFailed(step, problem) : problem -> failed(step, problem));
    }

    private void checkFailed(SidecarBucketStep.CallDriver step, Problem problem) {
        if (problem.reason().equals(ProvisionerReason.ALREADY_EXISTS.text())) {
            succeeded(step.bucket(), SidecarBucketState.of(Answer.ELSEWHERE));
        } else {
            failed(step, problem);
        }
    }

    private Outcome changeAccess(SidecarBucketStep.ChangeAccess step) {
        return context.driver()
                .driver()
                .create(
                        step.open()
                                ? CosiOrders.create(step.bucket(), false, step.secrets())
                                : CosiOrders.close(step.bucket(), step.secrets()),
                        () -> inFlight.remaining(ObjectKey.of(step.bucket())))
                .outcome(
                        _ -> succeeded(
                                step.bucket(), SidecarBucketState.of(step.open() ? Answer.OPENED : Answer.CLOSED)),
                        problem -> inFlight.recordFailure(
                                ObjectKey.of(step.bucket()), DriverMethod.CREATE_BUCKET, step.inputs(), problem));
    }

    private Outcome delete(SidecarBucketStep.CallDriver step) {
        return context.driver()
                .driver()
                .delete(
                        CosiOrders.delete(step.bucket(), step.secrets()),
                        () -> inFlight.remaining(ObjectKey.of(step.bucket())))
                .removalOutcome(
                        () -> succeeded(step.bucket(), SidecarBucketState.of(Answer.DELETED)),
                        problem -> failed(step, problem));
    }

    private Outcome writeConnection(SidecarBucketStep.WriteConnection step) {
        // No event: the BucketRequest has one when it is Bound, and the status of the Bucket reports the same.
        return write(step.bucket(), step.patch());
    }

    private Outcome confirmTransfer(Bucket bucket) {
        return write(
                bucket,
                JsonPatch.empty()
                        .add(
                                annotation(CosiNames.TRANSFERRED_FROM),
                                Metadata.annotation(bucket, CosiNames.TRANSFER_FROM)));
    }

    private Outcome write(Bucket bucket, JsonPatch patch) {
        Bucket _ = context.runtime().writer().patch(bucket, patch);
        succeeded(bucket, SidecarBucketState.NONE);
        return Outcome.progress();
    }

    private static JsonPatch withoutTransferRequest(Bucket bucket) {
        JsonPatch patch = JsonPatch.empty().remove(annotation(CosiNames.TRANSFER_FROM));
        return bucket.getMetadata().getAnnotations().containsKey(NamespaceUids.ANNOTATION)
                ? patch.remove(annotation(NamespaceUids.ANNOTATION))
                : patch;
    }

    private static String annotation(String key) {
        return JsonPatch.path("metadata", "annotations", key);
    }

    private Outcome recordTransfer(Bucket bucket) {
        String cluster = Metadata.annotation(bucket, CosiNames.TRANSFER_FROM);
        List<PermittedNamespace> former = bucket.getSpec().permittedNamespaces();
        List<PermittedNamespace> current = NamespaceUids.of(bucket).applyTo(former);
        JsonPatch recorded = withoutTransferRequest(bucket);
        // One write: if it were two, a namespace could be permitted without the transfer, or for a second time.
        JsonPatch patch = current.equals(former)
                ? recorded
                : recorded.replace(JsonPatch.path("spec", "permittedNamespaces"), current);
        Bucket written = context.runtime().writer().patch(bucket, patch);
        succeeded(bucket, SidecarBucketState.NONE);
        events.normal(
                written,
                CosiReason.BUCKET_TRANSFERRED,
                DriverMethod.CREATE_BUCKET.rpc(),
                "Transferred bucket " + written.getSpec().protocol().bucketName() + " from cluster "
                        + SafeText.quoted(cluster) + ".");
        return Outcome.progress();
    }

    private Outcome updateStatus(SidecarBucketStep.UpdateStatus step) {
        Bucket bucket = step.bucket();
        ReadyCondition condition = step.update().condition();
        Bucket _ = context.runtime()
                .writer()
                .mergeStatus(
                        bucket,
                        Map.of(
                                "phase",
                                step.update().phase().text(),
                                "message",
                                condition.message(),
                                "conditions",
                                step.update()
                                        .conditions(
                                                bucket, context.runtime().time().now()),
                                "observedGeneration",
                                bucket.getMetadata().getGeneration()));
        String event = step.update().event();
        if (step.update().phase() == BucketPhase.DELETED && !event.isEmpty()) {
            events.normal(bucket, event, DriverMethod.DELETE_BUCKET.rpc(), condition.message());
        } else if (!event.isEmpty()) {
            events.warning(bucket, event, condition.reason(), condition.message());
        }
        return Outcome.progress();
    }

    private void failed(SidecarBucketStep.CallDriver step, Problem problem) {
        inFlight.recordFailure(ObjectKey.of(step.bucket()), step.method(), step.inputs(), problem);
    }

    private void succeeded(Bucket bucket, SidecarBucketState state) {
        ObjectKey key = ObjectKey.of(bucket);
        inFlight.update(key, _ -> state);
        inFlight.clearFailure(key);
    }
}
