package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Makes the informers below the caches. Tests put informers of a server in memory in their place. */
public interface InformerSource {

    /**
     * An informer that is not started.
     *
     * @param store gets all objects and all changes of them
     */
    <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store);
}
