package io.bucketwright.runtime.controller;

/** What became of one step. */
public sealed interface Outcome {

    /** The step took effect: observe and decide again. */
    record Progress() implements Outcome {}

    /** The step must be waited for, or failed. */
    record Finish(Result result) implements Outcome {}

    static Outcome progress() {
        return new Progress();
    }

    static Outcome finish(Result result) {
        return new Finish(result);
    }
}
