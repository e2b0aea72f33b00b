package io.bucketwright.runtime.cache;

/** Reports changes of objects. */
public interface Source<T> {

    /** Calls the listener for each existing object and for each later change. */
    void listen(CacheListener<? super T> listener);

    /** Whether all objects of the first list have been reported. */
    boolean synced();
}
