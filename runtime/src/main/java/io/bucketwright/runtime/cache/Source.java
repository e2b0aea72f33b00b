package io.bucketwright.runtime.cache;

/** Something that tells of changes to objects. */
public interface Source<T> {

    /** Calls the listener for each object there is and for each change to come. */
    void listen(CacheListener<? super T> listener);

    /** Whether all objects there were in the beginning have been told of. */
    boolean synced();
}
