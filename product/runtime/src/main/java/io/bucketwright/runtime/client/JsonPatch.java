package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes to one object, as operations of RFC 6902. The writer puts the tests of uid and resourceVersion in front, so a
 * patch applies to exactly what was read or not at all.
 */
public record JsonPatch(List<Map<String, Object>> operations) {

    public JsonPatch {
        operations = List.copyOf(operations);
    }

    public static JsonPatch empty() {
        return new JsonPatch(List.of());
    }

    /** A path of field names, each escaped: labels and annotations contain slashes. */
    public static String path(String... fields) {
        return Stream.of(fields)
                .map(field -> "/" + field.replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining());
    }

    public JsonPatch add(String path, Object value) {
        return with(List.of(Map.of("op", "add", "path", path, "value", value)));
    }

    public JsonPatch replace(String path, Object value) {
        return with(List.of(Map.of("op", "replace", "path", path, "value", value)));
    }

    public JsonPatch remove(String path) {
        return with(List.of(Map.of("op", "remove", "path", path)));
    }

    public JsonPatch test(String path, Object value) {
        return with(List.of(Map.of("op", "test", "path", path, "value", value)));
    }

    /** This patch, for that very version of that very object only. */
    JsonPatch onlyFor(HasMetadata object) {
        JsonPatch guarded = empty().test("/metadata/uid", object.getMetadata().getUid())
                .test("/metadata/resourceVersion", object.getMetadata().getResourceVersion());
        return guarded.with(operations);
    }

    private JsonPatch with(List<Map<String, Object>> more) {
        return new JsonPatch(Stream.concat(operations.stream(), more.stream()).toList());
    }
}
