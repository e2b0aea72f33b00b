package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/** Observes, decides and acts for volumes of Pending pods. */
public final class PodClaimController implements DecisionLoop<VolumeKey, PodClaimObservation, PodClaimStep> {

    /** The source of events, the same as that of dynamic-pvc-provisioner. */
    public static final String REPORTER = "dynamic-pvc-provisioner";

    private final PodClaimCaches caches;
    private final InFlightState<VolumeKey, PodClaimState> state;
    private final TimeSource time;
    private final PodClaimDecision decision;
    private final PodClaimActs acts;

    private PodClaimController(ControllerContext context, PodClaimSettings settings) {
        caches = new PodClaimCaches(context.caches(), settings.namespace());
        state = context.inFlight(PodClaimState.INITIAL);
        time = context.time();
        decision = new PodClaimDecision(settings);
        acts = new PodClaimActs(context.writer(), context.events(), state);
    }

    /** Registers the controller. */
    public static void register(ControllerContext context, PodClaimSettings settings) {
        PodClaimController loop = new PodClaimController(context, settings);
        context.controller("pod-claims", loop)
                .workers(settings.workers())
                .inFlight(loop.state)
                .watchRelated(loop.caches.pods, loop.caches::keysOf)
                .watchRelated(loop.caches.claims, loop.caches::keysOf);
    }

    @Override
    public PodClaimObservation observe(VolumeKey key) {
        @Nullable Pod pod = caches.pod(key.pod()).orElse(null);
        return new PodClaimObservation(
                key,
                pod,
                pod == null ? null : claim(pod, key.volume()),
                state.get(key),
                state.failure(key).orElse(null),
                time.now());
    }

    @Override
    public Decision<PodClaimStep> decide(PodClaimObservation observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(PodClaimStep step) {
        return acts.act(step);
    }

    private @Nullable PersistentVolumeClaim claim(Pod pod, String volume) {
        return VolumeRequest.of(pod, volume)
                .map(VolumeRequest::place)
                .filter(VolumeRequest.Place.Claim.class::isInstance)
                .map(VolumeRequest.Place.Claim.class::cast)
                .flatMap(place -> caches.claims.get(pod.getMetadata().getNamespace(), place.name()))
                .orElse(null);
    }
}
