package io.bucketwright.store.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A JSON value in an option. Readers list the fields they know with {@link #only}: an unknown field is an error, so that no
 * field is dropped silently.
 *
 * @param path the path of the value, for messages
 */
record OptionJson(String path, JsonNode node) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    static OptionJson of(String option, String text) {
        try {
            return new OptionJson(option, JSON.readTree(text));
        } catch (JsonProcessingException notJson) {
            throw new Invalid(option + " " + InputText.quote(text) + " is not JSON", notJson);
        }
    }

    /** The elements of this list, or of the list in the only field of this object. */
    List<OptionJson> rules(String field) {
        List<OptionJson> rules = node.isArray() ? elements() : only(field).list(field);
        if (rules.isEmpty()) {
            throw new Invalid(path + " must have at least one rule");
        }
        return rules;
    }

    /** Checks that this object has no other fields. */
    OptionJson only(String... known) {
        if (!node.isObject()) {
            throw new Invalid(path + " must be an object");
        }
        Set<String> unknown = new TreeSet<>();
        node.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(Set.of(known));
        if (!unknown.isEmpty()) {
            throw new Invalid(path + " has the field "
                    + InputText.quote(unknown.iterator().next())
                    + ", which is unknown or which Google Cloud Storage does not support");
        }
        return this;
    }

    Optional<OptionJson> find(String field) {
        return Optional.ofNullable(node.get(field))
                .filter(value -> !value.isNull())
                .map(value -> new OptionJson(path + "." + field, value));
    }

    List<OptionJson> list(String field) {
        return find(field).map(OptionJson::elements).orElse(List.of());
    }

    List<String> texts(String field) {
        return list(field).stream().map(OptionJson::text).toList();
    }

    private List<OptionJson> elements() {
        if (!node.isArray()) {
            throw new Invalid(path + " must be a list");
        }
        List<OptionJson> elements = new ArrayList<>();
        node.forEach(element -> elements.add(new OptionJson(path, element)));
        return elements;
    }

    String text() {
        if (!node.isTextual()) {
            throw new Invalid(path + " must be a string");
        }
        return node.asText();
    }

    int number() {
        if (!node.isInt()) {
            throw new Invalid(path + " must be a whole number");
        }
        return node.asInt();
    }
}
