package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes the informers below the caches. Tests put informers of a server in memory in their place. */
public interface InformerSource {

    /**
     * An informer that is not started.
     *
     * @param trim removes from each object what no controller reads
     */
    <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, Scope scope, UnaryOperator<T> trim);

    /** Follows the list and watch of such an informer: whether it is lost, or refused by the API server. */
    default Supplier<WatchStatus> track(ResourceKind<?> kind, Scope scope) {
        return WatchStatus::healthy;
    }
}
