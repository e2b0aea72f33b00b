package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.ReadyBucket;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2BucketView.BucketProgress;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Observes, decides and acts for Buckets of v1alpha2. */
final class V1alpha2BucketController {

    private final V1alpha2SidecarContext context;
    private final ApiWriter writer;
    private final ConcurrencyLimits<ObjectKey> limits;
    private final InFlightState<ObjectKey, BucketProgress> inFlight;

    private V1alpha2BucketController(V1alpha2SidecarContext context) {
        this.context = context;
        this.writer = context.runtime().writer();
        this.limits = ConcurrencyLimits.forWorkers(context.workers());
        this.inFlight = context.runtime().inFlight(BucketProgress.none());
    }

    static void register(V1alpha2SidecarContext context) {
        V1alpha2BucketController loop = new V1alpha2BucketController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller("v1alpha2-buckets", loop::observe, V1alpha2BucketController::decide, loop::act)
                .workers(context.workers())
                .inFlight(loop.inFlight)
                .limits(loop.limits)
                .watch(context.buckets(), Function.identity());
        context.connection()
                .onChange(() -> context.buckets().list().forEach(bucket -> controller.add(ObjectKey.of(bucket))));
    }

    /** Empty if there is no such Bucket of this driver. */
    private Optional<V1alpha2BucketView> observe(ObjectKey key) {
        return context.buckets()
                .get("", key.name())
                .filter(key::names)
                .filter(bucket -> bucket.spec().driverName().equals(context.driverName()))
                .map(bucket -> new V1alpha2BucketView(
                        bucket,
                        context.preconditions(),
                        inFlight.get(key),
                        inFlight.failure(key),
                        context.runtime().time().now()));
    }

    private static Decision<V1alpha2BucketStep> decide(Optional<V1alpha2BucketView> view) {
        return view.map(V1alpha2BucketDecision::decide).orElseGet(Decision::done);
    }

    private Outcome act(V1alpha2BucketStep step) {
        return switch (step) {
            case V1alpha2BucketStep.AddFinalizer(V1alpha2Bucket bucket) -> {
                writer.merge(
                        bucket,
                        Metadata.patch(bucket)
                                .withFinalizer(V1alpha2Names.FINALIZER)
                                .fields());
                yield Outcome.progress();
            }
            case V1alpha2BucketStep.Provision provision ->
                limits.act(DriverMethod.CREATE_BUCKET, ObjectKey.of(provision.bucket()), () -> provision(provision));
            case V1alpha2BucketStep.WriteProvisioned write -> writeProvisioned(write);
            case V1alpha2BucketStep.Delete delete ->
                limits.act(DriverMethod.DELETE_BUCKET, ObjectKey.of(delete.bucket()), () -> delete(delete));
            case V1alpha2BucketStep.WriteError(V1alpha2Bucket bucket, String message) -> {
                writer.mergeStatus(
                        bucket,
                        StatusError.fields(
                                bucket.status().readyToUse(),
                                message,
                                context.runtime().time().now()));
                yield Outcome.progress();
            }
            case V1alpha2BucketStep.RemoveFinalizer(V1alpha2Bucket bucket) -> {
                writer.merge(bucket, Metadata.withoutFinalizer(bucket, V1alpha2Names.FINALIZER));
                inFlight.update(ObjectKey.of(bucket), _ -> BucketProgress.none());
                yield Outcome.progress();
            }
        };
    }

    private Outcome provision(V1alpha2BucketStep.Provision step) {
        V1alpha2Bucket bucket = step.bucket();
        ObjectKey key = ObjectKey.of(bucket);
        V1alpha2Orders.Provision order = new V1alpha2Orders.Provision(
                bucket.getMetadata().getName(),
                bucket.spec().existingBucketID(),
                bucket.spec().protocols(),
                bucket.spec().parameters());
        return context.calls()
                .provision(order, () -> inFlight.remaining(key))
                .outcome(
                        answer -> succeeded(key, _ -> new BucketProgress(Optional.of(answer), false)),
                        problem -> inFlight.recordFailure(key, DriverMethod.CREATE_BUCKET, step.inputs(), problem));
    }

    private Outcome delete(V1alpha2BucketStep.Delete step) {
        V1alpha2Bucket bucket = step.bucket();
        ObjectKey key = ObjectKey.of(bucket);
        V1alpha2Orders.Deletion order = new V1alpha2Orders.Deletion(
                bucket.status().bucketID(), bucket.spec().parameters());
        return context.calls()
                .delete(order, () -> inFlight.remaining(key))
                .removalOutcome(
                        () -> succeeded(key, _ -> new BucketProgress(Optional.empty(), true)),
                        problem -> inFlight.recordFailure(key, DriverMethod.DELETE_BUCKET, step.inputs(), problem));
    }

    /** The bucket of an object that is being deleted is not offered to anybody. */
    private Outcome writeProvisioned(V1alpha2BucketStep.WriteProvisioned step) {
        ReadyBucket answer = step.provisioned();
        Map<String, @Nullable Object> fields = StatusError.fields(
                !Metadata.isBeingDeleted(step.bucket()),
                "",
                context.runtime().time().now());
        fields.put("bucketID", answer.id());
        fields.put("protocols", answer.protocols());
        fields.put("bucketInfo", answer.info());
        writer.mergeStatus(step.bucket(), fields);
        inFlight.update(ObjectKey.of(step.bucket()), _ -> BucketProgress.none());
        return Outcome.progress();
    }

    private void succeeded(ObjectKey key, UnaryOperator<BucketProgress> change) {
        inFlight.update(key, change);
        inFlight.clearFailure(key);
    }
}
