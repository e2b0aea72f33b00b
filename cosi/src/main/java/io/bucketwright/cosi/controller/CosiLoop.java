package io.bucketwright.cosi.controller;

import io.bucketwright.cosi.controller.steps.ControllerActs;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.function.Function;

/** The loop of one kind: observes, decides, acts. */
record CosiLoop<V>(Function<ObjectKey, V> observer, Function<V, Decision<ControllerStep>> decision, ControllerActs acts)
        implements DecisionLoop<ObjectKey, V, ControllerStep> {

    @Override
    public V observe(ObjectKey key) {
        return observer.apply(key);
    }

    @Override
    public Decision<ControllerStep> decide(V view) {
        return decision.apply(view);
    }

    @Override
    public Outcome act(ControllerStep step) {
        return acts.act(step);
    }
}
