package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Hears of each write that took effect, before the writer returns. */
public interface WriteListener {

    <T extends HasMetadata> void written(Kind<T> kind, T object);

    /**
     * The object is gone.
     *
     * @param last the last version known of it
     */
    <T extends HasMetadata> void deleted(Kind<T> kind, T last);
}
