package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Optional;
import java.util.function.Function;

/** Observes, decides and acts for Buckets. */
public final class SidecarBucketController implements DecisionLoop<ObjectKey, ObservedBucket, SidecarBucketStep> {

    private final SidecarContext context;
    private final InFlightState<ObjectKey, InFlightBucket> inFlight;
    private final SidecarBucketDecision decision = new SidecarBucketDecision();
    private final SidecarBucketActs acts;

    private SidecarBucketController(SidecarContext context) {
        this.context = context;
        this.inFlight = context.runtime().inFlight(InFlightBucket.none());
        this.acts = new SidecarBucketActs(context, inFlight);
    }

    /** Registers the controller with the process. */
    public static void register(SidecarContext context) {
        SidecarBucketController loop = new SidecarBucketController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller("cosi-buckets", loop)
                .workers(context.workers())
                .inFlight(loop.inFlight)
                .watch(context.caches().buckets, Function.identity())
                .watchRelated(context.caches().accesses, context.caches()::bucketKeyOf);
        context.secrets()
                .sources()
                .forEach(source -> controller.watchRelated(
                        source,
                        secret -> context.bucketsWith(secret).stream()
                                .map(ObjectKey::of)
                                .toList()));
        context.driver()
                .onChange(
                        () -> context.caches().buckets.list().forEach(bucket -> controller.add(ObjectKey.of(bucket))));
    }

    @Override
    public ObservedBucket observe(ObjectKey key) {
        Optional<Bucket> bucket = context.caches().bucket(key.name(), key.uid());
        return new ObservedBucket(
                key,
                bucket,
                bucket.map(context.caches()::accessesOf).orElse(0L),
                context.preconditions(bucket.orElse(null)),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    @Override
    public Decision<SidecarBucketStep> decide(ObservedBucket observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(SidecarBucketStep step) {
        return switch (step) {
            case SidecarBucketStep.CallDriver call ->
                call.method() == DriverMethod.CREATE_BUCKET ? acts.create(call) : acts.delete(call);
            case SidecarBucketStep.WriteConnection write -> acts.writeConnection(write);
            case SidecarBucketStep.UpdateStatus update -> acts.updateStatus(update);
        };
    }
}
