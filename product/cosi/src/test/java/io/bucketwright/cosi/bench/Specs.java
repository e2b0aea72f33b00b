package io.bucketwright.cosi.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Specs from the fields that a test cares about; all other fields are absent. */
public final class Specs {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Specs() {}

    /** A spec with these fields: names and values in turn. */
    public static <S extends Record> S of(Class<S> type, Object... fields) {
        return read(type, new HashMap<>(), fields);
    }

    /** The spec with these fields replaced: names and values in turn. */
    @SuppressWarnings("unchecked") // the class of an S is a class of S
    public static <S extends Record> S with(S spec, Object... fields) {
        Map<String, Object> json = JSON.convertValue(spec, new TypeReference<>() {});
        return read((Class<S>) spec.getClass(), json, fields);
    }

    /** The spec without this field. */
    @SuppressWarnings("unchecked") // the class of an S is a class of S
    public static <S extends Record> S without(S spec, String field) {
        Map<String, Object> json = JSON.convertValue(spec, new TypeReference<>() {});
        json.remove(field);
        return read((Class<S>) spec.getClass(), json);
    }

    private static <S extends Record> S read(Class<S> type, Map<String, Object> json, Object... fields) {
        for (int i = 0; i < fields.length; i += 2) {
            String name = (String) fields[i];
            if (Arrays.stream(type.getRecordComponents())
                    .noneMatch(component -> component.getName().equals(name))) {
                throw new IllegalArgumentException(type.getSimpleName() + " has no field " + name);
            }
            json.put(name, fields[i + 1]);
        }
        return JSON.convertValue(json, type);
    }
}
