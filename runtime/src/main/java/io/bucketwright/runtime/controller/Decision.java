package io.bucketwright.runtime.controller;

/**
 * What to do next about a key.
 *
 * @param <S> the steps of one controller, a sealed type of its own
 */
public sealed interface Decision<S> {

    /** Carry this step out, then look again. */
    record Act<S>(S step) implements Decision<S> {}

    /** Nothing to do now. */
    record Rest<S>(Result result) implements Decision<S> {}

    static <S> Decision<S> act(S step) {
        return new Act<>(step);
    }

    static <S> Decision<S> rest(Result result) {
        return new Rest<>(result);
    }

    static <S> Decision<S> done() {
        return new Rest<>(Result.done());
    }
}
