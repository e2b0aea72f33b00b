package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/** The three parts put together. */
record ClaimLoop(ClaimCaches caches, Recollections memory, TimeSource time, ClaimDecision decision, ClaimActs acts)
        implements DecisionLoop<VolumeKey, Observed, Step> {

    @Override
    public Observed observe(VolumeKey key) {
        @Nullable Pod pod = caches.pod(key.pod()).orElse(null);
        return new Observed(key, pod, pod == null ? null : claim(pod, key.volume()), memory.of(key), time.nanos());
    }

    @Override
    public Decision<Step> decide(Observed observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(Step step) {
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
