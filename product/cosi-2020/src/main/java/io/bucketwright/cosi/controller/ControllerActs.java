package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.requests.OperationMetrics;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.function.Supplier;

/** Carries out the steps: one write each. */
record ControllerActs(
        ApiWriter writer,
        ObjectReader reader,
        EventRecorder events,
        SecretCopies copies,
        ReconcileState state,
        OperationMetrics metrics,
        RoleMetrics role,
        TimeSource time) {

    public static ControllerActs of(ControllerContext context, AccessSecrets secrets, ReconcileState state) {
        // From the start: an increase from a value that nobody has seen is none for Prometheus.
        Counter _ = reclaimedOrphans(context.metrics());
        return new ControllerActs(
                context.writer(),
                context.reader(),
                context.events(),
                new SecretCopies(secrets, context.writer(), new OwnedSecret(context.writer(), context.reader()), state),
                state,
                new OperationMetrics(context.meters()),
                context.metrics(),
                context.time());
    }

    public Outcome act(ControllerStep step) {
        switch (step) {
            case ControllerStep.Create create -> {
                return refusable(create.request(), () -> {
                    HasMetadata _ = writer.create(create.object());
                    return Outcome.progress();
                });
            }
            case ControllerStep.Merge(HasMetadata object, Map<String, ?> fields) -> writer.merge(object, fields);
            case ControllerStep.ReserveName reserve -> {
                if (state.reserve(
                        reserve.name(), reserve.request().getMetadata().getUid())) {
                    writer.merge(reserve.request(), reserve.fields());
                }
            }
            case ControllerStep.Patch patch -> writer.patch(patch.object(), patch.patch());
            case ControllerStep.UpdateStatus update -> updateStatus(update);
            case ControllerStep.CopySecret copy -> {
                return refusable(copy.request(), () -> copies.copy(copy));
            }
            case ControllerStep.Delete(HasMetadata object) -> writer.delete(object);
            case ControllerStep.DeleteOrphan(Bucket bucket) -> {
                return deleteOrphan(bucket);
            }
            case ControllerStep.ReportOrphan(Bucket bucket) -> {
                return reportOrphan(bucket);
            }
            case ControllerStep.RemoveFinalizer remove -> removeFinalizer(remove.object(), remove.completed());
        }
        return Outcome.progress();
    }

    /** A refusal that the user or an administrator can end is reported on the request; it is not only logged. */
    private Outcome refusable(HasMetadata request, Supplier<Outcome> write) {
        try {
            return write.get();
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.Forbidden) && !(e.error() instanceof ApiError.Invalid)) {
                throw e;
            }
            state.addRefusal(
                    request.getMetadata().getUid(), SafeText.line(e.error().message()));
            return Outcome.progress();
        }
    }

    private void removeFinalizer(HasMetadata object, Operation completed) {
        writer.merge(object, Metadata.withoutFinalizer(object, CosiNames.FINALIZER));
        metrics.record(completed, time.now());
    }

    private Outcome deleteOrphan(Bucket bucket) {
        boolean exists = bucket.getSpec()
                .creator()
                .flatMap(creator -> reader.read(BucketRequest.class, creator.namespace(), creator.name())
                        .filter(found -> found.getMetadata().getUid().equals(creator.uid())))
                .isPresent();
        if (exists) {
            return Outcome.finish(Result.retry("The BucketRequest of Bucket "
                    + bucket.getMetadata().getName() + " exists, but the watch has not shown it yet"));
        }
        writer.delete(bucket);
        reclaimedOrphans(role).increment();
        return Outcome.progress();
    }

    private static Counter reclaimedOrphans(RoleMetrics role) {
        return role.counter(
                "bucketwright.orphans.reclaimed", "Orphans that this process has reclaimed", Tags.of("kind", "Bucket"));
    }

    private Outcome reportOrphan(Bucket bucket) {
        String request = bucket.getSpec()
                .creator()
                .map(creator -> creator.namespace() + "/" + creator.name())
                .orElse("");
        events.warning(
                bucket,
                CosiReason.ORPHANED_BUCKET,
                "Release",
                "BucketRequest " + request + ", for which this Bucket was created, no longer exists, and no request"
                        + " uses it. Delete the Bucket if nobody needs it; its release policy decides about the data.");
        return Outcome.finish(Result.done());
    }

    private void updateStatus(ControllerStep.UpdateStatus update) {
        ReadyCondition ready = update.condition().ready();
        writer.mergeStatus(update.object(), update.condition().toStatus(update.object(), time.now()));
        metrics.record(update.completed(), time.now());
        if (ready.ready() && !CosiCondition.wasBound(update.object())) {
            role.bound(update.object().getKind(), update.object(), time.now());
        }
        if (update.object() instanceof BucketAccess && CosiCondition.isReportedElsewhere(ready.reason())) {
            return;
        }
        String action = Metadata.isBeingDeleted(update.object()) ? "Release" : "Bind";
        if (ready.informational()) {
            events.normal(update.object(), ready.reason(), action, ready.message());
        } else {
            events.warning(update.object(), ready.reason(), action, ready.message());
        }
    }
}
