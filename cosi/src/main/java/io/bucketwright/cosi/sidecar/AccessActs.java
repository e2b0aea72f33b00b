package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.store.SecretValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The steps of a BucketAccess, but for those about its Secret. */
final class AccessActs {

    private final DriverCalls driver;
    private final WireRequests requests;
    private final ApiWriter writer;
    private final EventRecorder events;
    private final Memory memory;

    AccessActs(DriverCalls driver, WireRequests requests, ApiWriter writer, EventRecorder events, Memory memory) {
        this.driver = driver;
        this.requests = requests;
        this.writer = writer;
        this.events = events;
        this.memory = memory;
    }

    Outcome hold(AccessStep.Hold step) {
        List<String> finalizers = new ArrayList<>(Marks.finalizers(step.access()));
        finalizers.add(CosiNames.PROVISIONER_FINALIZER);
        writer.merge(step.access(), Map.of("metadata", Map.of("finalizers", finalizers)));
        return Outcome.progress();
    }

    Outcome letGo(AccessStep.LetGo step) {
        List<String> finalizers = new ArrayList<>(Marks.finalizers(step.access()));
        finalizers.remove(CosiNames.PROVISIONER_FINALIZER);
        writer.merge(step.access(), Map.of("metadata", Map.of("finalizers", finalizers)));
        return Outcome.progress();
    }

    Outcome grant(AccessStep.Grant step) {
        Answer<GrantBucketAccessResponse> answer = driver.call(
                DriverMethod.GRANT_ACCESS,
                requests.grant(step.access(), step.bucket(), step.rotateAt(), step.secrets()),
                CosiControllerBlockingStub::grantBucketAccess);
        return switch (answer) {
            case Answer.Given<GrantBucketAccessResponse>(GrantBucketAccessResponse response) -> granted(step, response);
            case Answer.Refused<GrantBucketAccessResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.GRANT_ACCESS, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case Answer.InProgress<GrantBucketAccessResponse> _, Answer.SoAlready<GrantBucketAccessResponse> _ ->
                Outcome.finish(Result.requeueAfter(BucketActs.ASK_AGAIN));
            case Answer.Busy<GrantBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    Outcome revoke(AccessStep.Revoke step) {
        Answer<RevokeBucketAccessResponse> answer = driver.call(
                DriverMethod.REVOKE_ACCESS,
                requests.revoke(step.access(), step.bucket(), step.secrets()),
                CosiControllerBlockingStub::revokeBucketAccess);
        return switch (answer) {
            case Answer.Given<RevokeBucketAccessResponse> _, Answer.SoAlready<RevokeBucketAccessResponse> _ -> {
                memory.change(step.key(), Recollection::withUndone);
                yield Outcome.progress();
            }
            case Answer.Refused<RevokeBucketAccessResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.REVOKE_ACCESS, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case Answer.InProgress<RevokeBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(BucketActs.ASK_AGAIN));
            case Answer.Busy<RevokeBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    Outcome abandon(AccessStep.Abandon step) {
        String account = CosiNames.accountOf(step.access().getMetadata().getUid());
        events.warning(
                step.access(),
                DriverMethod.REVOKE_ACCESS.eventReason(),
                "RevokeBucketAccess",
                "Its Bucket " + step.access().getSpec().bucketName() + " is gone and nothing tells which bucket of the"
                        + " store it was, so the driver was not asked. If the store has an account " + account
                        + ", remove it there.");
        memory.change(step.key(), Recollection::withUndone);
        return Outcome.progress();
    }

    Outcome say(AccessStep.Say step) {
        String path = JsonPatch.path("metadata", "annotations", CosiNames.PROVISIONER_MESSAGE);
        JsonPatch patch = step.trouble()
                .map(trouble -> Marks.annotations(step.access()).isEmpty()
                        ? JsonPatch.empty()
                                .add(
                                        JsonPatch.path("metadata", "annotations"),
                                        Map.of(CosiNames.PROVISIONER_MESSAGE, AccessSaid.text(trouble)))
                        : JsonPatch.empty().add(path, AccessSaid.text(trouble)))
                .orElseGet(() -> JsonPatch.empty().remove(path));
        BucketAccess said = writer.patch(step.access(), patch);
        step.trouble()
                .ifPresent(trouble -> events.warning(said, trouble.eventReason(), trouble.reason(), trouble.message()));
        return Outcome.progress();
    }

    private Outcome granted(AccessStep.Grant step, GrantBucketAccessResponse response) {
        boolean needed = step.access().getSpec().serviceAccountName().isEmpty();
        switch (Credentials.of(response, needed)) {
            case Credentials.Usable(Map<String, SecretValue> values) ->
                memory.change(step.key(), old -> old.withCredentials(new Handed(values, step.rotateAt())));
            case Credentials.Rubbish(String message) ->
                memory.failed(
                        step.key(),
                        DriverMethod.GRANT_ACCESS,
                        step.inputs(),
                        Trouble.passing(DriverMethod.GRANT_ACCESS, "DriverAnswer", message));
        }
        return Outcome.progress();
    }
}
