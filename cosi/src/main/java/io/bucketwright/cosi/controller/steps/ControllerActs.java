package io.bucketwright.cosi.controller.steps;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** Carries out the steps: one write each. */
public record ControllerActs(
        ApiWriter writer,
        EventRecorder events,
        SecretCopies copies,
        ReconcileState state,
        OperationMetrics metrics,
        TimeSource time) {

    public Outcome act(ControllerStep step) {
        switch (step) {
            case ControllerStep.Create(HasMetadata object) -> writer.create(object);
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
                return copies.copy(copy);
            }
            case ControllerStep.Delete(HasMetadata object) -> writer.delete(object);
            case ControllerStep.RemoveFinalizer remove -> {
                writer.merge(remove.object(), Metadata.withoutFinalizer(remove.object(), CosiNames.FINALIZER));
                metrics.record(remove.completed(), time.now());
            }
        }
        return Outcome.progress();
    }

    private void updateStatus(ControllerStep.UpdateStatus update) {
        ReadyCondition ready = update.condition().ready();
        writer.mergeStatus(update.object(), update.condition().toStatus(update.object(), time.now()));
        metrics.record(update.completed(), time.now());
        String action = Metadata.isBeingDeleted(update.object()) ? "Release" : "Bind";
        if (ready.informational()) {
            events.normal(update.object(), ready.reason(), action, ready.message());
        } else {
            events.warning(update.object(), ready.reason(), action, ready.message());
        }
    }
}
