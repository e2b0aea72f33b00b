package io.bucketwright.runtime.cache;

import java.util.List;

/** Reports changes of objects. */
public interface Source<T> {

    /** Calls the listener for each existing object and for each later change. */
    void listen(CacheListener<? super T> listener);

    /** All objects. */
    List<T> list();

    /** Whether all objects of the first list have been reported. */
    boolean synced();
}
