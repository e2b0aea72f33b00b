package io.bucketwright.store.s3.identity;

import java.util.stream.Collectors;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Writes JSON that was parsed, so that a store receives what was checked. */
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
