package io.bucketwright.runtime.objects;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Creates and finds a Secret (or a ConfigMap) that the controller caches by label. Somebody can remove the label, and then
 * the object is missing from the cache but not deleted; and the name may be used by an object that somebody else owns,
 * which is never changed. Both need one read of the API server, and it is made only in these cases.
 */
public record OwnedSecret(ApiWriter writer, ObjectReader reader) {

    /** What the API server has under the name. */
    public sealed interface Lookup<T> {

        /** There is no such object. */
        record Missing<T>() implements Lookup<T> {}

        /** Somebody else owns it. */
        record Foreign<T>(T object) implements Lookup<T> {}

        /** It is ours. */
        record Owned<T>(T object) implements Lookup<T> {}
    }

    /**
     * Creates the object. If the name is in use, reads the object once: it may be ours and lack the label.
     *
     * @param isOwned whether an object found under the name is ours
     * @param update writes to an object found to be ours what it should contain, labels included
     * @return {@code Missing} if the object was deleted between the two requests
     */
    public <T extends HasMetadata> Lookup<T> create(T wanted, Predicate<? super T> isOwned, UnaryOperator<T> update) {
        try {
            return new Lookup.Owned<>(writer.create(wanted));
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                throw e;
            }
        }
        @SuppressWarnings("unchecked") // the class of a T is a class of T
        Class<T> type = (Class<T>) wanted.getClass();
        Lookup<T> found = read(
                type, wanted.getMetadata().getNamespace(), wanted.getMetadata().getName(), isOwned);
        return found instanceof Lookup.Owned<T>(T object) ? new Lookup.Owned<>(update.apply(object)) : found;
    }

    /** Reads the object once. */
    public <T extends HasMetadata> Lookup<T> read(
            Class<T> type, String namespace, String name, Predicate<? super T> isOwned) {
        Optional<T> found = reader.read(type, namespace, name);
        if (found.isEmpty()) {
            return new Lookup.Missing<>();
        }
        return isOwned.test(found.get()) ? new Lookup.Owned<>(found.get()) : new Lookup.Foreign<>(found.get());
    }
}
