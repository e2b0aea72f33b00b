package io.bucketwright.cosi.controller;

import io.bucketwright.cosi.controller.steps.ControllerActs;
import io.bucketwright.cosi.controller.steps.ControllerStep;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Optional;
import java.util.function.Function;

/** The loop of one kind. The view of an object that no longer exists is empty: there is nothing to do. */
record CosiLoop<V>(
        Function<ObjectKey, Optional<V>> observer, Function<V, Decision<ControllerStep>> decision, ControllerActs acts)
        implements DecisionLoop<ObjectKey, Optional<V>, ControllerStep> {

    @Override
    public Optional<V> observe(ObjectKey key) {
        return observer.apply(key);
    }

    @Override
    public Decision<ControllerStep> decide(Optional<V> view) {
        return view.map(decision).orElseGet(Decision::done);
    }

    @Override
    public Outcome act(ControllerStep step) {
        return acts.act(step);
    }
}
