package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.status.ReadyCondition;
import java.util.Map;
import java.util.Optional;

/** Carries out the steps of the Bucket controller. */
record SidecarBucketActs(SidecarContext context, InFlightState<ObjectKey, InFlightBucket> inFlight) {

    Outcome create(SidecarBucketStep.CallDriver step) {
        CreateBucketRequest request = context.requests().create(step.bucket(), step.secrets());
        DriverAnswer<JsonPatch> answer = context.calls()
                .call(
                        step.method(),
                        request,
                        CosiControllerBlockingStub::createBucket,
                        response -> ConnectionFields.read(step.bucket(), request, response));
        return answer.outcome(
                patch -> succeeded(step.key(), new InFlightBucket(Optional.of(patch), false)),
                problem -> inFlight.recordFailure(step.key(), step.method(), step.inputs(), problem));
    }

    Outcome delete(SidecarBucketStep.CallDriver step) {
        return context.calls()
                .call(
                        step.method(),
                        context.requests().delete(step.bucket(), step.secrets()),
                        CosiControllerBlockingStub::deleteBucket,
                        DriverAnswer.Done::new)
                .removalOutcome(
                        () -> succeeded(step.key(), new InFlightBucket(Optional.empty(), true)),
                        problem -> inFlight.recordFailure(step.key(), step.method(), step.inputs(), problem));
    }

    Outcome writeConnection(SidecarBucketStep.WriteConnection step) {
        Bucket written = context.runtime().writer().patch(step.bucket(), step.patch());
        succeeded(step.key(), InFlightBucket.none());
        context.runtime()
                .events()
                .normal(
                        written,
                        "BucketCreated",
                        DriverMethod.CREATE_BUCKET.rpc(),
                        "Created bucket " + written.getSpec().protocol().bucketName() + ".");
        return Outcome.progress();
    }

    Outcome updateStatus(SidecarBucketStep.UpdateStatus step) {
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
                                condition.replaceIn(
                                        bucket.status().conditions(),
                                        bucket,
                                        context.runtime().time().now()),
                                "observedGeneration",
                                bucket.getMetadata().getGeneration()));
        String event = step.update().event();
        if (step.update().phase() == BucketPhase.DELETED && !event.isEmpty()) {
            context.runtime().events().normal(bucket, event, DriverMethod.DELETE_BUCKET.rpc(), condition.message());
        } else if (!event.isEmpty()) {
            context.runtime().events().warning(bucket, event, condition.reason(), condition.message());
        }
        return Outcome.progress();
    }

    private void succeeded(ObjectKey key, InFlightBucket state) {
        inFlight.update(key, _ -> state);
        inFlight.clearFailure(key);
    }
}
