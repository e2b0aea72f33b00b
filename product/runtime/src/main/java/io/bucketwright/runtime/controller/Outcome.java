package io.bucketwright.runtime.controller;

/** The outcome of one step. */
public sealed interface Outcome {

    /** The step took effect: observe and decide again. */
    record Progress() implements Outcome {}

    /** Reconciling ends here: the step failed, or time must pass. */
    record Finish(Result result) implements Outcome {}

    static Outcome progress() {
        return new Progress();
    }

    static Outcome finish(Result result) {
        return new Finish(result);
    }
}
