package io.bucketwright.runtime.controller;

/** Carries out one step for a key. Failures may be thrown. */
@FunctionalInterface
public interface KeyedAction<K, S> {

    Outcome act(K key, S step) throws InterruptedException;
}
