package io.bucketwright.api.objectstorage;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The optional fields of a spec as they were read: an absent one has the same value as an empty one, but is written as absent. */
final class ReadFields {

    private final Map<String, @Nullable Object> others;

    /**
     * Fields of one spec.
     *
     * @param unknown the fields that this release does not know
     */
    ReadFields(@Nullable Map<String, @Nullable Object> unknown) {
        this.others = unknown == null ? new TreeMap<>() : new TreeMap<>(unknown);
    }

    String text(String field, @Nullable String value) {
        if (value == null) {
            return "";
        }
        if (value.isEmpty()) {
            others.put(field, value);
        }
        return value;
    }

    Map<String, String> map(String field, @Nullable Map<String, String> value) {
        if (value == null) {
            return Map.of();
        }
        if (value.isEmpty()) {
            others.put(field, value);
        }
        return value;
    }

    /** Those that the values do not show: empty ones, and those that this release does not know. */
    Map<String, @Nullable Object> others() {
        return others.isEmpty() ? Map.of() : others;
    }

    static String required(@Nullable String value) {
        return value == null ? "" : value;
    }

    static List<String> required(@Nullable List<String> value) {
        return value == null ? List.of() : value;
    }
}
