package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;

/** Repeats observe, decide and act for one key while this process leads and there is something to do. */
public record LoopReconciler<K, O, S>(DecisionLoop<K, O, S> loop, Leadership leadership) implements Reconciler<K> {

    /** Far more steps than any flow has; a decision that undoes itself reaches it quickly. */
    private static final int ENDLESS = 64;

    @Override
    public Result reconcile(K key) throws InterruptedException {
        String last = "";
        for (int round = 0; round < ENDLESS; round++) {
            switch (loop.decide(loop.observe(key))) {
                case Decision.Finish<S>(Result result) -> {
                    return result;
                }
                case Decision.Act<S>(S step) -> {
                    leadership.require();
                    last = step.toString();
                    if (loop.act(step) instanceof Outcome.Finish(Result result)) {
                        return result;
                    }
                }
            }
        }
        return Result.retry("Took " + ENDLESS + " steps without finishing, the last one " + last
                + "; the decision does not see the effect of its own steps, please report this");
    }
}
