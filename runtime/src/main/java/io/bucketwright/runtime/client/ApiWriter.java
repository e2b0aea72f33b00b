package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All changes to the cluster go through here: one request each and no read. Updates and deletes name the very version they
 * are about; the answer is in the caches when a method returns.
 */
public record ApiWriter(Transport transport, WriteListener listener) {

    public <T extends HasMetadata> T create(T object) {
        String path = ResourceKind.ofObject(object).path(object.getMetadata().getNamespace());
        return write("Creating", object, "POST", path, Transport.JSON, object);
    }

    /** Changes exactly the version given. */
    public <T extends HasMetadata> T patch(T current, JsonPatch patch) {
        Object operations = patch.onlyFor(current).operations();
        String path = ResourceKind.ofObject(current).path(current);
        return write("Patching", current, "PATCH", path, Transport.JSON_PATCH, operations);
    }

    /** Lays the fields given over exactly the version given; a null removes a field. */
    public <T extends HasMetadata> T merge(T current, Map<String, ?> fields) {
        return merge(current, fields, "");
    }

    /** Lays the fields given over the status of exactly the version given; a null removes a field. */
    public <T extends HasMetadata> T mergeStatus(T current, Map<String, ?> status) {
        return merge(current, Map.of("status", status), "/status");
    }

    /** Deletes exactly the version given; an object that no longer exists counts as deleted. */
    public <T extends HasMetadata> void delete(T current) {
        delete(current, current.getMetadata().getResourceVersion());
    }

    /** Deletes the object with this uid, whatever version it has now. */
    public <T extends HasMetadata> void deleteAnyVersion(T current) {
        delete(current, null);
    }

    private <T extends HasMetadata> void delete(T current, @Nullable String version) {
        ResourceKind<T> kind = ResourceKind.ofObject(current);
        DeleteOptions options = new DeleteOptionsBuilder()
                .withNewPreconditions(version, current.getMetadata().getUid())
                .withPropagationPolicy("Background")
                .build();
        try {
            String answer = transport.send(
                    "Deleting " + kind.describe(current),
                    "DELETE",
                    kind.path(current),
                    Transport.JSON,
                    transport.json().asJson(options));
            if (stillExists(answer)) {
                listener.written(kind, transport.json().unmarshal(answer, kind.type()));
            } else {
                listener.deleted(kind, current);
            }
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.NotFound)) {
                throw e;
            }
            listener.deleted(kind, current);
        }
    }

    /** The server returns the object while finalizers or a grace period delay its deletion; else mostly a Status. */
    private boolean stillExists(String answer) {
        GenericKubernetesResource left = transport.json().unmarshal(answer, GenericKubernetesResource.class);
        if ("Status".equals(left.getKind()) || left.getMetadata() == null) {
            return false;
        }
        Long grace = left.getMetadata().getDeletionGracePeriodSeconds();
        return left.getMetadata().getDeletionTimestamp() != null
                && (!left.getMetadata().getFinalizers().isEmpty() || (grace != null && grace > 0));
    }

    private <T extends HasMetadata> T merge(T current, Map<String, ?> fields, String subresource) {
        Map<String, Object> guarded = new HashMap<>(fields);
        Map<String, Object> metadata = new HashMap<>();
        if (fields.get("metadata") instanceof Map<?, ?> given) {
            given.forEach((field, value) -> metadata.put(String.valueOf(field), value));
        }
        // A version is never used twice, so it implies the uid, which a merge patch could not test.
        metadata.put("resourceVersion", current.getMetadata().getResourceVersion());
        guarded.put("metadata", metadata);
        String path = ResourceKind.ofObject(current).path(current) + subresource;
        return write("Patching", current, "PATCH", path, Transport.MERGE_PATCH, guarded);
    }

    private <T extends HasMetadata> T write(
            String doing, T object, String method, String path, String contentType, Object body) {
        T written = transport.write(doing, object, method, path, contentType, body);
        listener.written(ResourceKind.ofObject(object), written);
        return written;
    }
}
