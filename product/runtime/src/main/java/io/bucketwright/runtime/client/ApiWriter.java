package io.bucketwright.runtime.client;

import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.json.ObjectHeader;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All changes to the cluster go through here: one request each and no read. Updates and deletes name the very version they
 * are about; the answer is in the caches when a method returns. If the answer to a creation is lost, the method fails when the
 * caches show whether it took effect: what a cache does not contain does not exist.
 */
public record ApiWriter(Transport transport, WriteListener listener) {

    public <T extends HasMetadata> T create(T object) {
        ResourceKind<T> kind = ResourceKind.ofObject(object);
        try {
            return write(
                    "Creating", object, "POST", kind.path(object.getMetadata().getNamespace()), Transport.JSON, object);
        } catch (ApiException e) {
            if (e.error() instanceof ApiError.Unavailable) {
                listener.unconfirmed(kind);
            }
            throw e;
        }
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

    /**
     * Replaces exactly the version that the object names by the object. Only for those who may not patch: it needs the whole
     * object, with what no controller reads; see {@code ObjectCaches.whole}.
     */
    public <T extends HasMetadata> T replace(T object) {
        if (ObjectSize.isTooLarge(object)) {
            throw new IllegalArgumentException(
                    "Of " + ResourceKind.ofObject(object).describe(object)
                            + " only a part is known, so that it cannot be replaced");
        }
        return replace(object, "");
    }

    /**
     * Replaces exactly the version given by a changed copy of it. An object that is too large for the caches is read first.
     *
     * @param change returns a changed copy
     */
    public <T extends HasMetadata> T replace(T current, UnaryOperator<T> change) {
        return replace(change.apply(ObjectSize.isTooLarge(current) ? whole(current) : current));
    }

    private <T extends HasMetadata> T whole(T part) {
        ResourceKind<T> kind = ResourceKind.ofObject(part);
        String doing = "Reading " + kind.describe(part);
        T whole = transport.json().decode(transport.get(doing, kind.path(part)), kind.type());
        // Otherwise the update would take back what somebody else wrote meanwhile, and the decision knows nothing of
        // that.
        whole.getMetadata().setResourceVersion(part.getMetadata().getResourceVersion());
        return whole;
    }

    /** Replaces the status of exactly the version that the object names by the status of the object. */
    public <T extends HasMetadata> T replaceStatus(T object) {
        return replace(object, "/status");
    }

    private <T extends HasMetadata> T replace(T object, String subresource) {
        String path = ResourceKind.ofObject(object).path(object) + subresource;
        return write("Updating", object, "PUT", path, Transport.JSON, object);
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
            byte[] answer = transport.send(
                    "Deleting " + kind.describe(current),
                    "DELETE",
                    kind.path(current),
                    Transport.JSON,
                    transport.json().encode(options));
            remaining(answer, kind)
                    .ifPresentOrElse(left -> listener.written(kind, left), () -> listener.deleted(kind, current));
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.NotFound)) {
                throw e;
            }
            listener.deleted(kind, current);
        }
    }

    /** The server returns the object while finalizers or a grace period delay its deletion; else mostly a Status. */
    private <T extends HasMetadata> Optional<T> remaining(byte[] answer, ResourceKind<T> kind) {
        if (transport.json().header(answer).kind().equals("Status")) {
            return Optional.empty();
        }
        T left = transport.json().decode(answer, kind.type());
        @Nullable ObjectMeta metadata = left.getMetadata();
        if (metadata == null || metadata.getDeletionTimestamp() == null) {
            return Optional.empty();
        }
        @Nullable List<String> finalizers = metadata.getFinalizers();
        @Nullable Long grace = metadata.getDeletionGracePeriodSeconds();
        boolean delayed = (finalizers != null && !finalizers.isEmpty()) || (grace != null && grace > 0);
        return delayed ? Optional.of(left) : Optional.empty();
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
        ResourceKind<T> kind = ResourceKind.ofObject(object);
        byte[] answer;
        try {
            answer = transport.send(
                    doing + " " + kind.describe(object),
                    method,
                    path,
                    contentType,
                    transport.json().encode(body));
        } catch (ApiException e) {
            throw new ApiException(e, object);
        }
        T written =
                observed(kind, object, answer).orElseGet(() -> transport.json().decode(answer, kind.type()));
        listener.written(kind, written);
        return written;
    }

    /** The object from a watch that was faster than the response: it need not be decoded once more. */
    private <T extends HasMetadata> Optional<T> observed(ResourceKind<T> kind, T before, byte[] answer) {
        ObjectHeader header = transport.json().header(answer);
        // The removal of the last finalizer is answered with the former version, but without the finalizer.
        boolean sameVersion = header.version().equals(before.getMetadata().getResourceVersion());
        return sameVersion || !header.isComplete() ? Optional.empty() : listener.observed(kind, header);
    }
}
