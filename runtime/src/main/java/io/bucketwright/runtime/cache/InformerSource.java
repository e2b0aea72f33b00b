package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Supplier;

/** Makes the informers below the caches. Tests put informers of a server in memory in their place. */
public interface InformerSource {

    /**
     * An informer that is not started.
     *
     * @param store gets all objects and all changes of them
     */
    <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store);

    /** Follows the list and watch of such an informer: whether it is lost, or refused by the API server. */
    default Supplier<WatchStatus> track(ResourceKind<?> kind, Scope scope) {
        return WatchStatus::healthy;
    }
}
