package io.bucketwright.runtime.controller;

/**
 * A controller as its author writes it.
 *
 * @param <K> what is reconciled
 * @param <O> all that is known about it, an immutable record
 * @param <S> the steps that can be taken, a sealed type
 */
public interface DecisionLoop<K, O, S> {

    /** Reads caches, and nothing else. */
    O observe(K key);

    /** A pure function: the same observation always gives the same decision. */
    Decision<S> decide(O observed);

    /** Carries one step out: one write or one call, idempotent, short. Failures may be thrown. */
    Outcome act(S step) throws InterruptedException;
}
