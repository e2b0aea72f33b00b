package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps that write to the API server. */
final class ClusterActs {

    private final ApiWriter writer;
    private final EventRecorder events;
    private final Recollections memory;

    ClusterActs(ApiWriter writer, EventRecorder events, Recollections memory) {
        this.writer = writer;
        this.events = events;
        this.memory = memory;
    }

    Outcome record(Step.RecordIntent step) {
        try {
            writer.create(step.bucket());
        } catch (ApiException e) {
            @Nullable String policy = step.bucket().getSpec().reclaimPolicy();
            boolean unusual = ReclaimPolicy.ERASE.text().equals(policy)
                    || ReclaimPolicy.SUSPEND.text().equals(policy);
            if (!(e.error() instanceof ApiError.Invalid) || !unusual) {
                throw e;
            }
            writer.create(BucketObjects.withKnownPolicy(step.bucket()));
        }
        return Outcome.progress();
    }

    Outcome merge(HasMetadata object, Map<String, ?> fields) {
        writer.merge(object, fields);
        return Outcome.progress();
    }

    Outcome complete(Step.Complete step) {
        ObjectBucket _ = writer.merge(step.bucket(), step.fields());
        memory.change(step.on().key(), Recollection::withoutHanded);
        return Outcome.progress();
    }

    Outcome setPhase(Step.SetBucketPhase step) {
        writer.mergeStatus(step.bucket(), Map.of("phase", step.phase().text()));
        return Outcome.progress();
    }

    Outcome setStatus(Step.SetClaimStatus step) {
        writer.mergeStatus(
                step.claim(),
                Map.of(
                        "phase", step.phase().text(),
                        "conditions", conditions(step.claim(), step.ready()),
                        "observedGeneration", step.claim().getMetadata().getGeneration()));
        memory.change(step.key(), old -> old.withSaid(step.said()));
        tell(step.claim(), step.ready());
        return Outcome.progress();
    }

    Outcome tell(Step.Tell step) {
        events.warning(step.claim(), step.reason(), "Bind", step.message());
        memory.change(step.key(), old -> old.withSaid(step.said()));
        return Outcome.progress();
    }

    Outcome letGo(HasMetadata object) {
        writer.merge(object, Marks.withoutFinalizer(object));
        return Outcome.progress();
    }

    Outcome delete(HasMetadata object) {
        writer.delete(object);
        return Outcome.progress();
    }

    private void tell(ObjectBucketClaim claim, Condition ready) {
        if (ready.getStatus().equals("True") && ready.getReason().equals("Bound")) {
            events.normal(claim, ready.getReason(), "Bind", ready.getMessage());
        } else {
            events.warning(claim, ready.getReason(), "Bind", ready.getMessage());
        }
    }

    private static List<Condition> conditions(ObjectBucketClaim claim, Condition ready) {
        @Nullable BucketStatus status = claim.getStatus();
        List<Condition> all = new ArrayList<>();
        if (status != null && status.conditions() != null) {
            status.conditions().stream()
                    .filter(condition -> !Said.READY.equals(condition.getType()))
                    .forEach(all::add);
        }
        all.add(ready);
        return all;
    }
}
