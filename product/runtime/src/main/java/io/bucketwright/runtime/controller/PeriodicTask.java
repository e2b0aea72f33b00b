package io.bucketwright.runtime.controller;

/**
 * Work that is repeated for each key at an interval, such as measuring.
 *
 * @param <K> what is worked on
 */
public interface PeriodicTask<K> {

    /** Whether the key still needs the work. Reads caches, and nothing else. */
    boolean applies(K key);

    /** Does the work. {@code Done}: it is repeated after the interval. {@code RequeueAfter}, {@code Pending}: it is incomplete. */
    Result run(K key) throws InterruptedException;

    /** The key does not need the work any more. */
    void forget(K key);
}
