package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.cosi.sidecar.driver.DriverRequests;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;

import io.bucketwright.cosi.sidecar.driver.DriverCalls;



import io.bucketwright.cosi.sidecar.driver.DriverAnswer;


import io.bucketwright.api.cosi.ProvisionerReason;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.errors.InputText;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The steps of a Bucket. */
public final class SidecarBucketActs {

    /** A driver that says it is at it is asked again after this. */
    public static final Duration ASK_AGAIN = Duration.ofSeconds(2);

    private final DriverCalls driver;
    private final DriverRequests requests;
    private final ApiWriter writer;
    private final EventRecorder events;
    private final Memory memory;
    private final TimeSource time;

    public SidecarBucketActs(
            DriverCalls driver,
            DriverRequests requests,
            ApiWriter writer,
            EventRecorder events,
            Memory memory,
            TimeSource time) {
        this.driver = driver;
        this.requests = requests;
        this.writer = writer;
        this.events = events;
        this.memory = memory;
        this.time = time;
    }

    public Outcome create(SidecarBucketStep.Create step) {
        CreateBucketRequest request = requests.create(step.bucket(), step.secrets());
        DriverAnswer<CreateBucketResponse> answer =
                driver.call(DriverMethod.CREATE_BUCKET, request, CosiControllerBlockingStub::createBucket);
        return switch (answer) {
            case DriverAnswer.Given<CreateBucketResponse>(CreateBucketResponse response) -> created(step, request, response);
            case DriverAnswer.Refused<CreateBucketResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.CREATE_BUCKET, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case DriverAnswer.InProgress<CreateBucketResponse> _, DriverAnswer.SoAlready<CreateBucketResponse> _ ->
                Outcome.finish(Result.requeueAfter(ASK_AGAIN));
            case DriverAnswer.Busy<CreateBucketResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    public Outcome fill(SidecarBucketStep.Fill step) {
        Bucket filled = writer.patch(step.bucket(), step.patch());
        memory.change(step.key(), Recollection::delivered);
        events.normal(
                filled,
                "BucketCreated",
                "CreateBucket",
                "Bucket " + filled.getSpec().protocol().bucketName() + " was made.");
        return Outcome.progress();
    }

    public Outcome delete(SidecarBucketStep.Delete step) {
        DriverAnswer<DeleteBucketResponse> answer = driver.call(
                DriverMethod.DELETE_BUCKET,
                requests.delete(step.bucket(), step.secrets()),
                CosiControllerBlockingStub::deleteBucket);
        return switch (answer) {
            case DriverAnswer.Given<DeleteBucketResponse> _, DriverAnswer.SoAlready<DeleteBucketResponse> _ -> {
                memory.change(step.key(), Recollection::withUndone);
                yield Outcome.progress();
            }
            case DriverAnswer.Refused<DeleteBucketResponse>(Trouble trouble) -> {
                memory.failed(step.key(), DriverMethod.DELETE_BUCKET, step.inputs(), trouble);
                yield Outcome.progress();
            }
            case DriverAnswer.InProgress<DeleteBucketResponse> _ -> Outcome.finish(Result.requeueAfter(ASK_AGAIN));
            case DriverAnswer.Busy<DeleteBucketResponse> _ -> Outcome.finish(Result.requeueAfter(DriverCalls.COME_BACK));
        };
    }

    public Outcome say(SidecarBucketStep.Say step) {
        BucketStatusUpdate said = step.said();
        Condition condition = said.condition(step.bucket(), time.now());
        Bucket _ = writer.mergeStatus(
                step.bucket(),
                Map.of(
                        "phase", said.phase().text(),
                        "message", said.message(),
                        "conditions", conditions(step.bucket(), condition),
                        "observedGeneration", step.bucket().getMetadata().getGeneration()));
        if (!said.event().isEmpty()) {
            tell(step.bucket(), said);
        }
        return Outcome.progress();
    }

    private void tell(Bucket bucket, BucketStatusUpdate said) {
        if (said.phase() == BucketPhase.DELETED) {
            events.normal(bucket, said.event(), "DeleteBucket", said.message());
        } else {
            events.warning(bucket, said.event(), said.reason().text(), said.message());
        }
    }

    private Outcome created(SidecarBucketStep.Create step, CreateBucketRequest request, CreateBucketResponse response) {
        switch (judge(step.bucket(), request, response)) {
            case ConnectionFields.Complete(var patch) -> memory.change(step.key(), old -> old.withConnection(patch));
            case ConnectionFields.Lacking(String message) ->
                memory.failed(
                        step.key(),
                        DriverMethod.CREATE_BUCKET,
                        step.inputs(),
                        Trouble.passing(DriverMethod.CREATE_BUCKET, ProvisionerReason.INVALID_DRIVER_RESPONSE, message));
        }
        return Outcome.progress();
    }

    private static ConnectionFields judge(Bucket bucket, CreateBucketRequest request, CreateBucketResponse response) {
        if (!response.hasBucket()) {
            return new ConnectionFields.Lacking(
                    "The driver answered CreateBucket without a bucket. Mend the driver; it is asked again.");
        }
        String name = response.getBucket().getName();
        if (!name.isEmpty() && !name.equals(request.getBucketName())) {
            return new ConnectionFields.Lacking("The driver was asked for bucket " + request.getBucketName()
                    + " and answered with " + InputText.quote(name) + ". Mend the driver; it is asked again.");
        }
        return ConnectionFields.of(bucket, told(response.getBucket().getProviderContext()));
    }

    private static Map<String, String> told(ProviderContext context) {
        return switch (context.getContextCase()) {
            case GENERIC_CONTEXT -> context.getGenericContext().getBucketDataMap();
            case S3_CONTEXT ->
                Map.of(ConnectionDataKey.BUCKET_REGION.name(), context.getS3Context().getLocation());
            case GCS_CONTEXT ->
                Map.of(
                        ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(),
                        context.getGcsContext().getProject());
            case AZURE_CONTEXT, CONTEXT_NOT_SET -> Map.of();
        };
    }

    private static List<Condition> conditions(Bucket bucket, Condition ready) {
        List<Condition> all = new ArrayList<>();
        bucket.status().conditions().stream()
                .filter(condition -> !BucketStatusUpdate.READY.equals(condition.getType()))
                .forEach(all::add);
        all.add(ready);
        return all;
    }
}
