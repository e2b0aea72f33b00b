package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.stream.Stream;

/**
 * Observes, decides and acts on volumes.
 *
 * @param states only what was reported. Not persistent: a restart may repeat an event
 */
record ReleaseController(
        ControllerContext context,
        ReleaserSettings settings,
        ReleaserCaches caches,
        InFlightState<ObjectKey, Boolean> states) {

    static void register(ControllerContext context, ReleaserSettings settings, int workers) {
        ReleaserCaches caches = new ReleaserCaches(context.caches(), settings, context.time());
        ReleaseController loop = new ReleaseController(context, settings, caches, context.inFlight(true));
        context.metrics().claims("PersistentVolume", loop::managed);
        caches.watchWith(context.controller(
                        "core-pv-releaser",
                        caches::observe,
                        observed -> ReleaseDecision.decide(settings, observed),
                        loop.states,
                        ReleaseCall.class,
                        loop::call)
                .workers(workers));
    }

    /** The volumes that this releaser may release. */
    private Stream<StatusLabels> managed() {
        String id = settings.id().value();
        return caches.volumes().stream()
                .filter(volume -> id.equals(Metadata.label(volume, ReleaserNames.MANAGED_BY))
                        || id.equals(Metadata.label(volume, ReleaserNames.LEGACY_MANAGED_BY)))
                .map(volume -> StatusLabels.of(
                        volume,
                        states.reported(ObjectKey.of(volume))
                                .map(Problem::reason)
                                .orElse(StatusLabels.NO_REASON)));
    }

    Outcome call(ObjectKey key, ReleaseCall call) {
        return switch (call) {
            case ReleaseCall.Rebind rebind -> rebind(rebind);
            case ReleaseCall.ReplacePod(PersistentVolume volume, Pod pod, Problem problem) -> {
                if (states.report(key, problem)) {
                    context.events().warning(volume, problem.reason(), ReleaseDecision.RELEASE, problem.message());
                }
                context.writer().deleteAnyVersion(pod);
                yield Outcome.finish(problem.result());
            }
        };
    }

    /**
     * The cache may show a namespace that was deleted since, and the claim may be in its successor. If the API server still has
     * that namespace now, the claim, which was observed before, is not in a later one.
     */
    private Outcome rebind(ReleaseCall.Rebind call) {
        PersistentVolume volume = call.volume();
        String name = call.namespace().getMetadata().getName();
        String namespaceUid = call.namespace().getMetadata().getUid();
        boolean exists = context.reader()
                .read(Namespace.class, "", name)
                .filter(current -> namespaceUid.equals(current.getMetadata().getUid()))
                .isPresent();
        if (!exists) {
            return Outcome.finish(
                    Result.retry("Namespace " + name + " was deleted or created again; the caches do not show it yet"));
        }
        context.writer()
                .patch(
                        volume,
                        ReleasePatches.rebind(volume, call.claim().getMetadata().getUid(), namespaceUid, settings));
        context.events()
                .normal(
                        volume,
                        ReleaseReason.RELEASED,
                        ReleaseDecision.RELEASE,
                        "Released for the new claim " + ReleaseDecision.claimOf(volume));
        return Outcome.progress();
    }
}
