package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Carries the steps out: one write each. */
final class Acts {

    private final ApiWriter writer;
    private final EventRecorder events;
    private final SecretCopies copies;
    private final TakenNames names;
    private final Operations operations;
    private final TimeSource time;

    Acts(
            ApiWriter writer,
            EventRecorder events,
            SecretCopies copies,
            TakenNames names,
            Operations operations,
            TimeSource time) {
        this.writer = writer;
        this.events = events;
        this.copies = copies;
        this.names = names;
        this.operations = operations;
        this.time = time;
    }

    Outcome act(Step step) {
        switch (step) {
            case Step.Create(HasMetadata object) -> writer.create(object);
            case Step.Merge(HasMetadata object, Map<String, ?> fields) -> writer.merge(object, fields);
            case Step.TakeName take -> {
                if (names.take(take.name(), take.request().getMetadata().getUid())) {
                    writer.merge(take.request(), take.fields());
                }
            }
            case Step.Patch patch -> writer.patch(patch.object(), patch.patch());
            case Step.Say say -> say(say);
            case Step.CopySecret copy -> {
                return copies.copy(copy);
            }
            case Step.Delete(HasMetadata object) -> writer.delete(object);
            case Step.LetGo letGo -> {
                writer.merge(letGo.object(), Marks.withoutFinalizer(letGo.object()));
                operations.ended(letGo.ended(), time.now());
            }
        }
        return Outcome.progress();
    }

    private void say(Step.Say say) {
        Said said = say.said();
        writer.mergeStatus(say.object(), status(say));
        operations.ended(say.ended(), time.now());
        String action = say.object().getMetadata().getDeletionTimestamp() == null ? "Bind" : "Release";
        if (isWell(said)) {
            events.normal(say.object(), said.reason(), action, said.message());
        } else {
            events.warning(say.object(), said.reason(), action, said.message());
        }
    }

    static Map<String, ?> status(Step.Say say) {
        return Map.of(
                "phase", say.said().phase(),
                "message", say.said().message(),
                "conditions", conditions(say.object(), say.said(), say.ready()),
                "observedGeneration", say.object().getMetadata().getGeneration());
    }

    private static boolean isWell(Said said) {
        return (said.ready() && said.reason().equals(Said.BOUND)) || said.isCalm();
    }

    private static List<Condition> conditions(HasMetadata object, Said said, Condition ready) {
        List<Condition> all = new ArrayList<>();
        boolean wasBound = false;
        if (object instanceof CustomResource<?, ?> resource && resource.getStatus() instanceof CosiStatus status) {
            wasBound = status.condition(Said.BOUND).isPresent();
            status.conditions().stream()
                    .filter(condition -> !Said.READY.equals(condition.getType()))
                    .forEach(all::add);
        }
        all.add(ready);
        if (said.ready() && !wasBound) {
            all.add(new ConditionBuilder(ready).withType(Said.BOUND).build());
        }
        return all;
    }
}
