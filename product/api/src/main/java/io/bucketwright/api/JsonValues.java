package io.bucketwright.api;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Null-safe and immutable values for the records of this package. */
final class JsonValues {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonValues() {}

    /** A copy with other values of these JSON fields. Unknown fields are kept. */
    static <R extends Record> R with(R original, Map<String, ?> fields, Class<R> type) {
        Map<String, @Nullable Object> all = JSON.convertValue(original, new TypeReference<>() {});
        all.putAll(fields);
        return JSON.convertValue(all, type);
    }

    /** Go programs write an empty string for an absent one. */
    static Optional<String> text(@Nullable String value) {
        return Optional.ofNullable(value).filter(text -> !text.isBlank());
    }

    static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }

    /** An immutable copy that keeps the order and, unlike {@link Map#copyOf}, null values of unknown fields. */
    static <V extends @Nullable Object> @Nullable Map<String, V> frozen(@Nullable Map<String, V> map) {
        return map == null ? null : CompactMap.copyOf(map);
    }

    static Map<String, @Nullable Object> unknown(@Nullable Map<String, @Nullable Object> map) {
        return map == null ? Map.of() : CompactMap.copyOf(map);
    }

    /** The same reference. Its map of unknown fields is nearly always empty, and a cache holds many references. */
    static @Nullable ObjectReference compact(@Nullable ObjectReference reference) {
        if (reference != null && reference.getAdditionalProperties().isEmpty()) {
            reference.setAdditionalProperties(Map.of());
        }
        return reference;
    }

    /** The same for conditions, in an immutable list. */
    static @Nullable List<Condition> compact(@Nullable List<Condition> conditions) {
        @Nullable List<Condition> kept = frozen(conditions);
        if (kept != null) {
            kept.stream()
                    .filter(condition -> condition.getAdditionalProperties().isEmpty())
                    .forEach(condition -> condition.setAdditionalProperties(Map.of()));
        }
        return kept;
    }

    /** An immutable copy without nulls, which some schemas admit. */
    static <E> @Nullable List<E> frozen(@Nullable List<E> list) {
        // A copy of one or two elements needs no array.
        return list == null
                ? null
                : List.copyOf(list.stream().filter(Objects::nonNull).toList());
    }
}
