package io.bucketwright.runtime.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.client.Transport;
import io.bucketwright.runtime.json.JsonCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster. Writes have the effects that they have in kube-apiserver: uid, resource version and generation,
 * preconditions, the status subresource, and deletion that waits for finalizers. There is no validation.
 */
public final class InMemoryApiServer {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    static final KubernetesSerialization JSON = new KubernetesSerialization(MAPPER, false);
    static final JsonCodec CODEC = new JsonCodec(MAPPER);
    private static final ObjectMapper TREES = new ObjectMapper();

    private record Stored(Place place, ObjectNode json, Map<Class<?>, HasMetadata> views) {

        Stored(Place place, ObjectNode json) {
            this(place, json, new HashMap<>());
        }

        /** The object to read. It is parsed once. */
        <T extends HasMetadata> T view(Class<T> type) {
            return type.cast(views.computeIfAbsent(type, _ -> as(type)));
        }

        <T extends HasMetadata> T as(Class<T> type) {
            return JSON.convertValue(json, type);
        }

        String uid() {
            return metadata("uid").asText();
        }

        boolean isBeingDeleted() {
            return metadata("deletionTimestamp").isTextual();
        }

        boolean hasFinalizers() {
            return !metadata("finalizers").isEmpty();
        }

        boolean isGarbage(Set<String> uidsInUse) {
            JsonNode owners = metadata("ownerReferences");
            return !owners.isEmpty()
                    && !isBeingDeleted()
                    && owners.valueStream()
                            .noneMatch(owner ->
                                    uidsInUse.contains(owner.path("uid").asText()));
        }

        private JsonNode metadata(String field) {
            return json.path("metadata").path(field);
        }
    }

    private final Map<String, SortedMap<String, Stored>> collections = new TreeMap<>();
    /** Where the objects of a class are. To compute it takes longer than a request. */
    private final Map<Class<?>, String> paths = new HashMap<>();

    private final List<InMemoryInformer<?>> watches = new ArrayList<>();
    private long version;
    private long uids;

    /** The object as it is now. */
    public <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return Optional.ofNullable(objects(collection(type)).get(namespace + "/" + name))
                .map(stored -> stored.as(type));
    }

    /** All objects of the kind, sorted by namespace and name, to read: do not change them. */
    public <T extends HasMetadata> List<T> list(Class<T> type) {
        return objects(collection(type)).values().stream()
                .map(stored -> stored.view(type))
                .toList();
    }

    /** As {@link #list}, for a cache of its own. */
    <T extends HasMetadata> List<T> copies(Class<T> type) {
        return objects(collection(type)).values().stream()
                .map(stored -> stored.as(type))
                .toList();
    }

    /** Creates an object as a user does, but with its status. */
    @SuppressWarnings("unchecked") // the class of a T is a class of T
    public <T extends HasMetadata> T create(T object) {
        Class<T> type = (Class<T>) object.getClass();
        ObjectNode json = parse(JSON.asJson(object));
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        return create(new Place(collection(type), namespace, name(json), ""), json)
                .as(type);
    }

    /** Changes an object as users and other controllers do, its status included. */
    public <T extends HasMetadata> void edit(Class<T> type, String namespace, String name, Consumer<T> change) {
        T object = get(type, namespace, name).orElseThrow();
        change.accept(object);
        Place place = new Place(collection(type), namespace, name, "");
        replace(existing(place), parse(JSON.asJson(object)));
    }

    /** Deletes an object, or marks it for deletion while it has finalizers; nothing happens if it does not exist. */
    public <T extends HasMetadata> void delete(Class<T> type, String namespace, String name) {
        Place place = new Place(collection(type), namespace, name, "");
        if (objects(place.collection()).containsKey(place.key())) {
            delete(existing(place));
        }
    }

    /** Deletes objects whose owners do not exist any more, until none is left, as the garbage collector does. */
    public void collectGarbage() {
        boolean found = true;
        while (found) {
            Set<String> uidsInUse = all().map(Stored::uid).collect(Collectors.toSet());
            List<Stored> garbage =
                    all().filter(stored -> stored.isGarbage(uidsInUse)).toList();
            garbage.forEach(this::delete);
            found = !garbage.isEmpty();
        }
    }

    private Stream<Stored> all() {
        return collections.values().stream().flatMap(objects -> objects.values().stream());
    }

    /** The resource version of the last change. */
    public long version() {
        return version;
    }

    void watch(InMemoryInformer<?> informer) {
        watches.add(informer);
    }

    void unwatch(InMemoryInformer<?> informer) {
        watches.remove(informer);
    }

    String request(String method, String path, String contentType, String body) {
        Place place = Place.of(path);
        return switch (method) {
            case "GET" -> existing(place).json().toString();
            case "POST" -> {
                ObjectNode json = parse(body);
                json.remove("status");
                yield create(new Place(place.collection(), place.namespace(), name(json), ""), json)
                        .json()
                        .toString();
            }
            case "PATCH" -> patch(place, contentType, body).json().toString();
            case "PUT" -> {
                Stored stored = existing(place);
                ObjectNode json = parse(body);
                requireEqual(
                        place,
                        json.at("/metadata/resourceVersion"),
                        stored.json().at("/metadata/resourceVersion"));
                yield update(place, stored, json).json().toString();
            }
            case "DELETE" -> {
                Stored stored = existing(place);
                JsonNode preconditions = parse(body).path("preconditions");
                requireEqual(place, preconditions.path("uid"), stored.json().at("/metadata/uid"));
                requireEqual(
                        place,
                        preconditions.path("resourceVersion"),
                        stored.json().at("/metadata/resourceVersion"));
                yield delete(stored);
            }
            default -> throw new IllegalArgumentException(method + " " + path);
        };
    }

    private Stored create(Place place, ObjectNode json) {
        if (objects(place.collection()).containsKey(place.key())) {
            throw new ApiException(new ApiError.AlreadyExists(place.collection() + " " + place.key() + " exists"));
        }
        ObjectNode metadata = metadata(json);
        metadata.put("uid", "uid-" + ++uids);
        metadata.put("generation", 1);
        metadata.put("creationTimestamp", "2026-11-15T00:00:00Z");
        return put(place, null, json);
    }

    private Stored patch(Place place, String contentType, String body) {
        Stored stored = existing(place);
        ObjectNode patched = stored.json().deepCopy();
        if (contentType.equals(Transport.MERGE_PATCH)) {
            ObjectNode patch = parse(body);
            requireEqual(
                    place, patch.at("/metadata/resourceVersion"), stored.json().at("/metadata/resourceVersion"));
            merge(patched, patch);
        } else {
            try {
                patched = (ObjectNode) JsonPatch.apply(tree(body), patched);
            } catch (RuntimeException e) {
                throw conflict(place, "the patch does not apply: " + e.getMessage());
            }
        }
        return update(place, stored, patched);
    }

    /** The status changes only through its subresource, and everything else only without it. */
    private Stored update(Place place, Stored stored, ObjectNode patched) {
        boolean status = place.subresource().equals("status");
        ObjectNode updated = status ? stored.json().deepCopy() : patched;
        copy("status", status ? patched : stored.json(), updated);
        return replace(stored, updated);
    }

    private Stored replace(Stored stored, ObjectNode updated) {
        ObjectNode metadata = metadata(updated);
        for (String field :
                List.of("uid", "generation", "creationTimestamp", "deletionTimestamp", "resourceVersion", "name")) {
            copy(field, metadata(stored.json()), metadata);
        }
        if (updated.equals(stored.json())) {
            return stored;
        }
        if (!hasSameContent(updated, stored.json())) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        return put(stored.place(), stored, updated);
    }

    private String delete(Stored stored) {
        if (!stored.hasFinalizers()) {
            version++;
            show(stored.place(), stored, null);
            return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}";
        }
        if (stored.isBeingDeleted()) {
            return stored.json().toString();
        }
        ObjectNode json = stored.json().deepCopy();
        metadata(json).put("deletionTimestamp", "2026-11-15T00:00:00Z");
        return put(stored.place(), stored, json).json().toString();
    }

    private Stored put(Place place, @Nullable Stored before, ObjectNode json) {
        version++;
        metadata(json).put("resourceVersion", Long.toString(version));
        Stored after = new Stored(place, json);
        boolean ended = after.isBeingDeleted() && !after.hasFinalizers();
        show(place, before, ended ? null : after);
        return after;
    }

    private void show(Place place, @Nullable Stored before, @Nullable Stored after) {
        if (after == null) {
            objects(place.collection()).remove(place.key());
        } else {
            objects(place.collection()).put(place.key(), after);
        }
        for (InMemoryInformer<?> watch : watches) {
            if (collection(watch.type()).equals(place.collection())) {
                watch.changed(before == null ? null : before.json(), after == null ? null : after.json(), version);
            }
        }
    }

    private Stored existing(Place place) {
        @Nullable Stored stored = objects(place.collection()).get(place.key());
        if (stored == null) {
            throw new ApiException(new ApiError.NotFound(place.collection() + " " + place.key() + " does not exist"));
        }
        return stored;
    }

    private SortedMap<String, Stored> objects(String collection) {
        return collections.computeIfAbsent(collection, _ -> new TreeMap<>());
    }

    private String collection(Class<? extends HasMetadata> type) {
        return paths.computeIfAbsent(type, _ -> {
            ResourceKind<?> kind = ResourceKind.of(type);
            String root = kind.group().isEmpty() ? "api/" : "apis/" + kind.group() + "/";
            return root + kind.version() + "/" + kind.plural();
        });
    }

    private static void requireEqual(Place place, JsonNode wanted, JsonNode actual) {
        if (!wanted.isMissingNode() && !wanted.isNull() && !wanted.asText().equals(actual.asText())) {
            throw conflict(place, "expected " + wanted + ", is " + actual);
        }
    }

    private static ApiException conflict(Place place, String why) {
        return new ApiException(new ApiError.Conflict(place.collection() + " " + place.key() + ": " + why));
    }

    /** Whether they have the same generation: everything but metadata and status is equal. */
    private static boolean hasSameContent(ObjectNode one, ObjectNode other) {
        return Stream.concat(one.propertyStream(), other.propertyStream())
                .map(Map.Entry::getKey)
                .filter(field -> !field.equals("metadata") && !field.equals("status"))
                .allMatch(field -> one.path(field).equals(other.path(field)));
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value instanceof ObjectNode nested) {
                merge(
                        target.get(field.getKey()) instanceof ObjectNode present
                                ? present
                                : target.putObject(field.getKey()),
                        nested);
            } else {
                target.set(field.getKey(), value);
            }
        });
    }

    private static void copy(String field, ObjectNode from, ObjectNode to) {
        if (from.has(field)) {
            to.set(field, from.get(field));
        } else {
            to.remove(field);
        }
    }

    private static ObjectNode metadata(ObjectNode json) {
        return json.withObject("/metadata");
    }

    private static String name(ObjectNode json) {
        return json.at("/metadata/name").asText();
    }

    private static ObjectNode parse(String json) {
        return (ObjectNode) tree(json);
    }

    private static JsonNode tree(String json) {
        try {
            return TREES.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
