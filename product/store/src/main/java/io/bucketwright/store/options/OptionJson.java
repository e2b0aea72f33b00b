package io.bucketwright.store.options;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
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
public record OptionJson(String path, JsonNode node) {

    /** A policy has six levels. */
    private static final int MAX_DEPTH = 50;

    /** Of two fields with one name, each parser uses the one it likes: what is checked would not be what is used. */
    private static final JsonMapper PARSER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /**
     * Parses the text of an option.
     *
     * @throws Invalid if it is not a JSON object or list
     */
    public static OptionJson of(String option, String text) {
        if (text.isBlank()) {
            throw new Invalid(option + " is empty");
        }
        try {
            OptionJson json = new OptionJson(option, PARSER.readTree(text));
            return json.node.isArray() ? json : new OptionJson(option, json.object());
        } catch (JsonProcessingException notJson) {
            throw new Invalid(
                    option + " " + InputText.quote(text)
                            + " is not JSON, has two fields with one name, or has more than " + MAX_DEPTH + " levels",
                    notJson);
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
    public OptionJson only(String... known) {
        Set<String> unknown = new TreeSet<>();
        object().fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(Set.of(known));
        if (!unknown.isEmpty()) {
            throw new Invalid(path + " has the unknown field "
                    + InputText.quote(unknown.iterator().next()));
        }
        return this;
    }

    public Optional<OptionJson> find(String field) {
        return Optional.ofNullable(object().get(field))
                .filter(value -> !value.isNull())
                .map(value -> new OptionJson(path + "." + field, value));
    }

    /** The value of a field that must exist. */
    public OptionJson require(String field) {
        return find(field).orElseThrow(() -> new Invalid(path + " must have the field " + field));
    }

    List<OptionJson> list(String field) {
        return find(field).map(OptionJson::elements).orElse(List.of());
    }

    /** The elements of a list, or this value if it is none. */
    public List<OptionJson> oneOrMore() {
        return node.isArray() ? elements() : List.of(this);
    }

    private List<OptionJson> elements() {
        if (!node.isArray()) {
            throw new Invalid(path + " must be a list");
        }
        return node.valueStream().map(element -> new OptionJson(path, element)).toList();
    }

    /** The text in a field. */
    public Optional<String> text(String field) {
        return find(field).map(OptionJson::text);
    }

    /** The number in a field. */
    Optional<Integer> number(String field) {
        return find(field).map(OptionJson::number);
    }

    List<String> texts(String field) {
        return list(field).stream().map(OptionJson::text).toList();
    }

    public String text() {
        if (!node.isTextual()) {
            throw new Invalid(path + " must be a string");
        }
        return node.textValue();
    }

    private int number() {
        if (!node.isInt()) {
            throw new Invalid(path + " must be a whole number");
        }
        if (node.intValue() < 0) {
            throw new Invalid(path + " must not be negative");
        }
        return node.intValue();
    }

    boolean bool() {
        if (!node.isBoolean()) {
            throw new Invalid(path + " must be true or false");
        }
        return node.booleanValue();
    }

    private JsonNode object() {
        if (!node.isObject()) {
            throw new Invalid(path + " must be an object");
        }
        return node;
    }
}
