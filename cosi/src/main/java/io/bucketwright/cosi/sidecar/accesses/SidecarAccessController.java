package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.cosi.sidecar.cache.SidecarCaches;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Optional;
import java.util.function.Function;

/** Observes, decides and acts for BucketAccesses. */
public final class SidecarAccessController implements DecisionLoop<ObjectKey, ObservedAccess, SidecarAccessStep> {

    private final SidecarContext context;
    private final InFlightState<ObjectKey, InFlightAccess> inFlight;
    private final SidecarAccessDecision decision = new SidecarAccessDecision();
    private final SidecarAccessActs acts;
    private final AccessSecretActs secretActs;

    private SidecarAccessController(SidecarContext context) {
        this.context = context;
        this.inFlight = context.runtime().inFlight(InFlightAccess.none());
        this.acts = new SidecarAccessActs(context, inFlight);
        this.secretActs = new AccessSecretActs(context, inFlight);
    }

    /** Registers the controller with the process. */
    public static void register(SidecarContext context) {
        SidecarCaches caches = context.caches();
        SidecarAccessController loop = new SidecarAccessController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller("cosi-accesses", loop)
                .workers(context.workers())
                .inFlight(loop.inFlight)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.buckets, caches::accessKeysOf)
                .watchRelated(caches.secrets, caches::accessKeysOf);
        context.secrets()
                .sources()
                .forEach(source -> controller.watchRelated(
                        source,
                        secret -> context.bucketsWith(secret).stream()
                                .flatMap(bucket -> caches.accessKeysOf(bucket).stream())
                                .toList()));
        context.driver().onChange(() -> caches.accesses.list().forEach(access -> controller.add(ObjectKey.of(access))));
    }

    @Override
    public ObservedAccess observe(ObjectKey key) {
        Optional<BucketAccess> access = context.caches().access(key);
        Optional<Bucket> bucket = access.map(BucketAccess::getSpec)
                .flatMap(spec -> context.caches().bucket(spec.bucketName(), spec.bucketUid()));
        return new ObservedAccess(
                key,
                access,
                bucket,
                access.flatMap(context.caches()::secretOf),
                context.preconditions(bucket.orElse(null)),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    @Override
    public Decision<SidecarAccessStep> decide(ObservedAccess observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(SidecarAccessStep step) {
        return switch (step) {
            case SidecarAccessStep.AddFinalizer add -> acts.addFinalizer(add);
            case SidecarAccessStep.Grant grant -> acts.grant(grant);
            case SidecarAccessStep.ReadSecret read -> secretActs.read(read);
            case SidecarAccessStep.WriteSecret write -> secretActs.write(write);
            case SidecarAccessStep.KeepCredentials keep -> secretActs.keepCredentials(keep);
            case SidecarAccessStep.Revoke revoke -> acts.revoke(revoke);
            case SidecarAccessStep.SkipRevoke skip -> acts.skipRevoke(skip);
            case SidecarAccessStep.DeleteSecret delete -> secretActs.delete(delete);
            case SidecarAccessStep.ReleaseSecret release -> secretActs.release(release);
            case SidecarAccessStep.RemoveFinalizer remove -> acts.removeFinalizer(remove);
            case SidecarAccessStep.Report report -> acts.report(report);
            case SidecarAccessStep.ClearReport clear -> acts.clearReport(clear);
        };
    }
}
