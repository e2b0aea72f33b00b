package io.bucketwright.runtime.controller;

/** Reconciles one key. Never called twice at once for the same key. */
@FunctionalInterface
public interface Reconciler<K> {

    Result reconcile(K key) throws InterruptedException;
}
