package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.status.ReadyCondition;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps that write claims and ObjectBuckets to the API server. */
record ApiServerActs(
        ApiWriter writer, EventRecorder events, InFlightState<ObjectKey, ClaimState> states, TimeSource time) {

    private static final String BIND = "Bind";

    Outcome record(ClaimStep.RecordIntent step) {
        try {
            writer.create(step.bucket());
        } catch (ApiException e) {
            @Nullable String policy = step.bucket().getSpec().reclaimPolicy();
            boolean unknownToSomeSchemas = ReclaimPolicy.ERASE.text().equals(policy)
                    || ReclaimPolicy.SUSPEND.text().equals(policy);
            if (!(e.error() instanceof ApiError.Invalid) || !unknownToSomeSchemas) {
                throw e;
            }
            writer.create(ObjectBucketContent.withKnownPolicy(step.bucket()));
        }
        return Outcome.progress();
    }

    Outcome patch(ClaimStep.Patch step) {
        writer.merge(step.object(), step.fields());
        return Outcome.progress();
    }

    Outcome update(ClaimStep.UpdateRecord step) {
        writer.merge(step.bucket(), step.fields());
        states.update(step.key(), ClaimState::withRecorded);
        return Outcome.progress();
    }

    Outcome setPhase(ClaimStep.SetBucketPhase step) {
        writer.mergeStatus(step.bucket(), Map.of("phase", step.phase().text()));
        return Outcome.progress();
    }

    Outcome setStatus(ClaimStep.SetClaimStatus step) {
        ClaimStatus status = step.status();
        writer.mergeStatus(step.claim(), status.fields(step.claim(), time.now()));
        states.update(step.key(), state -> state.withReported(status.summary(step.claim())));
        ReadyCondition ready = status.ready();
        if (ready.informational()) {
            events.normal(step.claim(), ready.reason(), BIND, ready.message());
        } else {
            events.warning(step.claim(), ready.reason(), BIND, ready.message());
        }
        return Outcome.progress();
    }

    Outcome send(ClaimStep.SendEvent step) {
        events.warning(step.claim(), step.reason(), BIND, step.message());
        states.update(step.key(), state -> state.withReported(step.summary()));
        return Outcome.progress();
    }

    Outcome abandon(ClaimStep.Abandon step) {
        events.warning(
                step.bucket().object(),
                "Abandoned",
                "Release",
                "Because of the annotation " + ObjectBucketNames.ABANDON_ANNOTATION + ", bucket "
                        + step.bucket().intent().bucketName()
                        + " and its user stay in the store. Nothing in this cluster manages them any more.");
        states.update(step.key(), ClaimState::withReleased);
        states.clearFailure(step.key());
        return Outcome.progress();
    }

    Outcome removeFinalizer(ClaimStep.RemoveFinalizer step) {
        writer.merge(step.object(), ClaimMetadata.withoutFinalizer(step.object()));
        return Outcome.progress();
    }

    Outcome delete(ClaimStep.Delete step) {
        writer.delete(step.object());
        return Outcome.progress();
    }
}
