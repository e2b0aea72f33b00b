package io.bucketwright.runtime.cache;

/** Receives changes of cached objects, after the cache shows them. Called for one event at a time; must not block. */
public interface CacheListener<T> {

    /**
     * The object is new or different.
     *
     * @param before the same instance as {@code after} when the object is new here
     */
    default void changed(T before, T after) {}

    /** The object was deleted, or was replaced by another of the same name, for which {@link #changed} follows. */
    void deleted(T last);
}
