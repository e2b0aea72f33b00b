package io.bucketwright.api;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a spec from its JSON fields. Fields that are not set are absent; unknown fields of the original are kept. */
public abstract class SpecBuilder<S, B extends SpecBuilder<S, B>> {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Class<S> type;
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    SpecBuilder(Class<S> type) {
        this.type = type;
    }

    abstract B self();

    B from(S original) {
        fields.putAll(JSON.convertValue(original, new TypeReference<Map<String, @Nullable Object>>() {}));
        return self();
    }

    B set(String field, Object value) {
        fields.put(field, value);
        return self();
    }

    public S build() {
        return JSON.convertValue(fields, type);
    }
}
