package io.bucketwright.runtime.controller;

/** Brings the world of one key into order. Never called twice at once for the same key. */
@FunctionalInterface
public interface Reconciler<K> {

    Result reconcile(K key) throws InterruptedException;
}
