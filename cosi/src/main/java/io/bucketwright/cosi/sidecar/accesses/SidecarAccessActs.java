package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.ProvisionerReason;

import io.bucketwright.cosi.sidecar.driver.DriverRequests;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.Marks;


import io.bucketwright.cosi.sidecar.driver.DriverMethod;

import io.bucketwright.cosi.sidecar.driver.DriverCalls;


import io.bucketwright.cosi.sidecar.driver.DriverAnswer;



import io.bucketwright.cosi.sidecar.buckets.SidecarBucketActs;

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
import io.bucketwright.store.connection.SecretValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The steps of a BucketAccess, but for those about its Secret. */
public final class SidecarAccessActs {

    private final DriverCalls driver;
    private final DriverRequests requests;
    private final ApiWriter writer;
    private final EventRecorder events;
    private final Memory memory;

    public SidecarAccessActs(DriverCalls driver, DriverRequests requests, ApiWriter writer, EventRecorder events, Memory memory) {
        this.driver = driver;
        this.requests = requests;
        this.writer = writer;
        this.events = events;
        this.memory = memory;
    }

    public Outcome hold(SidecarAccessStep.Hold step) {
        List<String> finalizers = new ArrayList<>(Marks.finalizers(step.access()));
        finalizers.add(CosiNames.PROVISIONER_FINALIZER);
        writer.merge(step.access(), Map.of("metadata", Map.of("finalizers", finalizers)));
        return Outcome.progress();
    }

    public Outcome letGo(SidecarAccessStep.LetGo step) {
        List<String> finalizers = new ArrayList<>(Marks.finalizers(step.access()));
        finalizers.remove(CosiNames.PROVISIONER_FINALIZER);
        writer.merge(step.access(), Map.of("metadata", Map.of("finalizers", finalizers)));
        return Outcome.progress();
    }

    public Outcome grant(SidecarAccessStep.Grant step) {
        DriverAnswer<GrantBucketAccessResponse> answer = driver.call(
                DriverMethod.GRANT_ACCESS,
                requests.grant(step.access(), step.bucket(), step.rotateAt(), step.secrets()),
                CosiControllerBlockingStub::grantBucketAccess);
        return switch (answer) {
            case DriverAnswer.Given<GrantBucketAccessResponse>(GrantBucketAccessResponse response) -> granted(step, response);
            case DriverAnswer.Refused<GrantBucketAccessResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.GRANT_ACCESS, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case DriverAnswer.InProgress<GrantBucketAccessResponse> _, DriverAnswer.SoAlready<GrantBucketAccessResponse> _ ->
                Outcome.finish(Result.requeueAfter(SidecarBucketActs.ASK_AGAIN));
            case DriverAnswer.Busy<GrantBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    public Outcome revoke(SidecarAccessStep.Revoke step) {
        DriverAnswer<RevokeBucketAccessResponse> answer = driver.call(
                DriverMethod.REVOKE_ACCESS,
                requests.revoke(step.access(), step.bucket(), step.secrets()),
                CosiControllerBlockingStub::revokeBucketAccess);
        return switch (answer) {
            case DriverAnswer.Given<RevokeBucketAccessResponse> _, DriverAnswer.SoAlready<RevokeBucketAccessResponse> _ -> {
                memory.change(step.key(), Recollection::withUndone);
                yield Outcome.progress();
            }
            case DriverAnswer.Refused<RevokeBucketAccessResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.REVOKE_ACCESS, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case DriverAnswer.InProgress<RevokeBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(SidecarBucketActs.ASK_AGAIN));
            case DriverAnswer.Busy<RevokeBucketAccessResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    public Outcome abandon(SidecarAccessStep.Abandon step) {
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

    public Outcome say(SidecarAccessStep.Say step) {
        String path = JsonPatch.path("metadata", "annotations", CosiNames.PROVISIONER_REPORT);
        JsonPatch patch = step.trouble()
                .map(trouble -> Marks.annotations(step.access()).isEmpty()
                        ? JsonPatch.empty()
                                .add(
                                        JsonPatch.path("metadata", "annotations"),
                                        Map.of(CosiNames.PROVISIONER_REPORT, AccessReport.report(trouble).encode()))
                        : JsonPatch.empty().add(path, AccessReport.report(trouble).encode()))
                .orElseGet(() -> JsonPatch.empty().remove(path));
        BucketAccess said = writer.patch(step.access(), patch);
        step.trouble()
                .ifPresent(trouble -> events.warning(said, trouble.eventReason(), trouble.reason().text(), trouble.message()));
        return Outcome.progress();
    }

    private Outcome granted(SidecarAccessStep.Grant step, GrantBucketAccessResponse response) {
        boolean needed = step.access().getSpec().serviceAccountName().isEmpty();
        switch (CredentialsReader.of(response, needed)) {
            case CredentialsReader.Usable(Map<String, SecretValue> values) ->
                memory.change(step.key(), old -> old.withCredentials(new IssuedCredentials(values, step.rotateAt())));
            case CredentialsReader.Rubbish(String message) ->
                memory.failed(
                        step.key(),
                        DriverMethod.GRANT_ACCESS,
                        step.inputs(),
                        Trouble.passing(DriverMethod.GRANT_ACCESS, ProvisionerReason.INVALID_DRIVER_RESPONSE, message));
        }
        return Outcome.progress();
    }
}
