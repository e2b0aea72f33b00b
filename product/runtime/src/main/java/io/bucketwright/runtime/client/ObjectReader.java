package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Reads single objects from the API server, one request each. Controllers read caches instead, except where the cache cannot
 * show the object, because its label selector may not match any more, and before data is destroyed because an object that a
 * tenant writes does not exist: its watch may lag.
 */
public record ObjectReader(Transport transport) {

    /**
     * The object as the API server has it.
     *
     * @param namespace empty for cluster-scoped kinds
     */
    public <T extends HasMetadata> Optional<T> read(Class<T> type, String namespace, String name) {
        ResourceKind<T> kind = ResourceKind.of(type);
        String place = namespace.isEmpty() ? name : namespace + "/" + name;
        try {
            byte[] answer = transport.get("Reading " + kind.plural() + " " + place, kind.path(namespace, name));
            return Optional.of(transport.json().decode(answer, type));
        } catch (ApiException e) {
            if (e.error() instanceof ApiError.NotFound) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
