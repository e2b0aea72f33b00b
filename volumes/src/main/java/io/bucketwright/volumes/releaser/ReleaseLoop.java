package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;

/**
 * Observes, decides and acts on volumes.
 *
 * @param state the last problem that was reported on each volume. Not persistent: a restart may repeat an event
 */
record ReleaseLoop(
        ReleaserCaches caches, ReleaseDecision decision, ReleaseActs acts, InFlightState<ObjectKey, ReleaseState> state)
        implements DecisionLoop<ObjectKey, ReleaseObservation, ReleaseStep> {

    @Override
    public ReleaseObservation observe(ObjectKey key) {
        return caches.observe(key, state.get(key).reported());
    }

    @Override
    public Decision<ReleaseStep> decide(ReleaseObservation observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(ReleaseStep step) {
        return acts.act(step);
    }
}
