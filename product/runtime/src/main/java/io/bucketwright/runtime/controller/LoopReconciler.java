package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;
import java.util.function.Function;

/**
 * Repeats observe, decide and act for one key while this process leads and there is something to do. An act belongs to the
 * leadership term of its observation.
 *
 * @param observe reads caches into an immutable record, and does nothing else
 * @param decide a pure function: the same observation always gives the same decision
 * @param act carries one step out
 * @param <K> what is reconciled
 * @param <O> all that is known about it, an immutable record
 * @param <S> the steps that can be taken, a sealed type
 */
public record LoopReconciler<K, O, S>(
        Leadership leadership, Function<K, O> observe, Function<O, Decision<S>> decide, KeyedAction<K, S> act)
        implements Reconciler<K> {

    /** Of a controller whose steps contain the key. */
    public LoopReconciler(
            Leadership leadership, Function<K, O> observe, Function<O, Decision<S>> decide, StepAction<S> act) {
        this(leadership, observe, decide, (_, step) -> act.act(step));
    }

    /** Far more steps than any flow has; a decision that undoes itself reaches it quickly. */
    private static final int ENDLESS = 64;

    @Override
    public Result reconcile(K key) throws InterruptedException {
        String last = "";
        for (int round = 0; round < ENDLESS; round++) {
            long term = leadership.term();
            switch (decide.apply(observe.apply(key))) {
                case Decision.Finish<S>(Result result) -> {
                    return result;
                }
                case Decision.Act<S>(S step) -> {
                    leadership.requireIn(term);
                    // Only its kind: the content of a step may be secret.
                    last = step instanceof Step.Write write
                            ? write.name()
                            : step.getClass().getSimpleName();
                    if (act.act(key, step) instanceof Outcome.Finish(Result result)) {
                        return result;
                    }
                }
            }
        }
        return Result.retry("Took " + ENDLESS + " steps without finishing, the last one " + last
                + "; the decision does not see the effect of its own steps, please report this");
    }
}
