package io.bucketwright.runtime.client;

import io.bucketwright.runtime.json.ObjectHeader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Receives each write that took effect, before the writer returns. */
public interface WriteListener {

    default <T extends HasMetadata> void written(ResourceKind<T> kind, T object) {}

    /** Exactly this version of the whole object, if it was received in another way already. */
    default <T extends HasMetadata> Optional<T> observed(ResourceKind<T> kind, ObjectHeader header) {
        return Optional.empty();
    }

    /** An object of this kind may have been created: there was no response. Returns when that is known, or after some time. */
    default void unconfirmed(ResourceKind<?> kind) {}

    /**
     * The object no longer exists.
     *
     * @param last the last version known of it
     */
    default <T extends HasMetadata> void deleted(ResourceKind<T> kind, T last) {}
}
