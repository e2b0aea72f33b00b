package io.bucketwright.api.cosi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values of absent JSON fields. */
final class Absent {
    private Absent() {}

    static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }

    static Map<String, String> map(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    static <E> List<E> list(@Nullable List<E> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
