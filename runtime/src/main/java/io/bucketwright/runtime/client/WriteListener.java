package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Receives each write that took effect, before the writer returns. */
public interface WriteListener {

    <T extends HasMetadata> void written(ResourceKind<T> kind, T object);

    /**
     * The object no longer exists.
     *
     * @param last the last version known of it
     */
    <T extends HasMetadata> void deleted(ResourceKind<T> kind, T last);
}
