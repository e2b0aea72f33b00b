package io.bucketwright.store.s3;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * A piece of JSON that somebody wrote into an option. Whoever reads it names all the fields that it knows: one that would
 * be dropped silently is refused instead.
 *
 * @param path where it stands, for messages
 */
record Json(String path, JsonNode node) {

    static JsonNode parse(String option, String text) {
        try {
            return JsonNode.parser().parse(text);
        } catch (RuntimeException notJson) {
            throw new Invalid(option + " " + InputText.quote(text) + " is not JSON", notJson);
        }
    }

    static Json of(String option, String text) {
        return new Json(option, parse(option, text));
    }

    /** This object, of which only these fields are known. */
    Json only(String... known) {
        Set<String> unknown = new TreeSet<>(object().keySet());
        unknown.removeAll(Set.of(known));
        if (!unknown.isEmpty()) {
            throw new Invalid(path + " has the unknown field "
                    + InputText.quote(unknown.iterator().next()));
        }
        return this;
    }

    Optional<Json> find(String field) {
        return Optional.ofNullable(object().get(field))
                .filter(value -> !value.isNull())
                .map(value -> new Json(path + "." + field, value));
    }

    List<Json> list(String field) {
        return find(field).map(Json::elements).orElse(List.of());
    }

    List<Json> elements() {
        if (!node.isArray()) {
            throw new Invalid(path + " must be a list");
        }
        return node.asArray().stream().map(element -> new Json(path, element)).toList();
    }

    List<String> texts(String field) {
        return list(field).stream().map(Json::text).toList();
    }

    String text() {
        if (!node.isString()) {
            throw new Invalid(path + " must be a text");
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
