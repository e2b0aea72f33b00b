package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.function.Function;

/** One of the four loops. */
record Loop<V>(Function<ObjectKey, V> observer, Function<V, Decision<Step>> decision, Acts acts)
        implements DecisionLoop<ObjectKey, V, Step> {

    @Override
    public V observe(ObjectKey key) {
        return observer.apply(key);
    }

    @Override
    public Decision<Step> decide(V view) {
        return decision.apply(view);
    }

    @Override
    public Outcome act(Step step) {
        return acts.act(step);
    }
}
