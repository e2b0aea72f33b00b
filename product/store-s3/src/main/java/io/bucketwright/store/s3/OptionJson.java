package io.bucketwright.store.s3;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.protocols.jsoncore.JsonNodeParser;
import software.amazon.awssdk.thirdparty.jackson.core.JsonFactory;
import software.amazon.awssdk.thirdparty.jackson.core.StreamReadConstraints;
import software.amazon.awssdk.thirdparty.jackson.core.StreamReadFeature;

/**
 * A JSON value in an option. Readers list the fields they know with {@link #only}: an unknown field is an error, so that no
 * field is dropped silently.
 *
 * @param path the path of the value, for messages
 */
record OptionJson(String path, JsonNode node) {

    /** A policy has six levels. The parser calls itself for each one: with 1,000 of them, the stack of a worker overflows. */
    private static final int MAX_DEPTH = 50;

    /** Of two fields with one name, each parser uses the one it likes: what is checked would not be what is used. */
    private static final JsonNodeParser PARSER = JsonNodeParser.builder()
            .jsonFactory(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .build();

    static JsonNode parse(String option, String text) {
        if (text.isBlank()) {
            throw new Invalid(option + " is empty");
        }
        try {
            return PARSER.parse(text);
        } catch (RuntimeException notJson) {
            throw new Invalid(
                    option + " " + InputText.quote(text)
                            + " is not JSON, has two fields with one name, or has more than " + MAX_DEPTH + " levels",
                    notJson);
        }
    }

    static OptionJson of(String option, String text) {
        return new OptionJson(option, parse(option, text));
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
        Set<String> unknown = new TreeSet<>(object().keySet());
        unknown.removeAll(Set.of(known));
        if (!unknown.isEmpty()) {
            throw new Invalid(path + " has the unknown field "
                    + InputText.quote(unknown.iterator().next()));
        }
        return this;
    }

    Optional<OptionJson> find(String field) {
        return Optional.ofNullable(object().get(field))
                .filter(value -> !value.isNull())
                .map(value -> new OptionJson(path + "." + field, value));
    }

    List<OptionJson> list(String field) {
        return find(field).map(OptionJson::elements).orElse(List.of());
    }

    /** The elements of a list, or this value if it is none. */
    List<OptionJson> oneOrMore() {
        return node.isArray() ? elements() : List.of(this);
    }

    private List<OptionJson> elements() {
        if (!node.isArray()) {
            throw new Invalid(path + " must be a list");
        }
        return node.asArray().stream()
                .map(element -> new OptionJson(path, element))
                .toList();
    }

    /** The text of a field; null if it is absent, as the builders of the SDK expect. */
    @Nullable
    String text(String field) {
        return find(field).map(OptionJson::text).orElse(null);
    }

    /** The number of a field; null if it is absent. */
    @Nullable
    Integer number(String field) {
        return find(field).map(OptionJson::number).orElse(null);
    }

    List<String> texts(String field) {
        return list(field).stream().map(OptionJson::text).toList();
    }

    String text() {
        if (!node.isString()) {
            throw new Invalid(path + " must be a string");
        }
        return node.asString();
    }

    int number() {
        try {
            return Integer.parseInt(node.isNumber() ? node.asNumber() : "");
        } catch (NumberFormatException e) {
            throw new Invalid(path + " must be a whole number", e);
        }
    }

    boolean bool() {
        if (!node.isBoolean()) {
            throw new Invalid(path + " must be true or false");
        }
        return node.asBoolean();
    }

    private Map<String, JsonNode> object() {
        if (!node.isObject()) {
            throw new Invalid(path + " must be an object");
        }
        return node.asObject();
    }
}
