package io.bucketwright.runtime.controller;

/**
 * What to do next about a key.
 *
 * @param <S> the steps of one controller, a sealed type
 */
public sealed interface Decision<S> {

    /** Carry out this step, then observe again. */
    record Act<S>(S step) implements Decision<S> {}

    /** Nothing to do now. */
    record Finish<S>(Result result) implements Decision<S> {}

    static <S> Decision<S> act(S step) {
        return new Act<>(step);
    }

    static <S> Decision<S> finish(Result result) {
        return new Finish<>(result);
    }

    static <S> Decision<S> done() {
        return new Finish<>(Result.done());
    }
}
