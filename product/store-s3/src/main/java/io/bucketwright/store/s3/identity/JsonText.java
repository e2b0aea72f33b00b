package io.bucketwright.store.s3.identity;

import java.util.stream.Collectors;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Writes JSON that was parsed, so that a store receives what was checked, and reads fields of it. */
public final class JsonText {

    private JsonText() {}

    public static String of(JsonNode node) {
        if (node.isObject()) {
            return node.asObject().entrySet().stream()
                    .map(field -> quoted(field.getKey()) + ":" + of(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (node.isArray()) {
            return node.asArray().stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        return node.isString() ? quoted(node.asString()) : node.isNull() ? "null" : node.text();
    }

    /** The text in a field; empty if there is none. */
    public static String text(JsonNode node, String field) {
        return node.field(field)
                .filter(JsonNode::isString)
                .map(JsonNode::asString)
                .orElse("");
    }

    /** The number in a field; 0 if there is none. */
    public static long number(JsonNode node, String field) {
        return node.field(field)
                .filter(JsonNode::isNumber)
                .map(JsonNode::asNumber)
                .map(Long::parseLong)
                .orElse(0L);
    }

    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
            } else if (character < ' ') {
                quoted.append("\\u%04x".formatted(character));
            } else {
                quoted.append((char) character);
            }
        });
        return quoted.append('"').toString();
    }
}
