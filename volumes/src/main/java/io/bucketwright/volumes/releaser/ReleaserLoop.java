package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Map;

/**
 * The three parts put together.
 *
 * @param told the last trouble told of each volume; lost with the process, and then an event may be repeated
 */
record ReleaserLoop(ReleaserCaches caches, ReleaseDecision decision, ReleaseActs acts, Map<ObjectKey, Trouble> told)
        implements DecisionLoop<ObjectKey, Observed, Step> {

    @Override
    public Observed observe(ObjectKey key) {
        return caches.observe(key, told.get(key));
    }

    @Override
    public Decision<Step> decide(Observed observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(Step step) {
        return acts.act(step);
    }
}
