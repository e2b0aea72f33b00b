package io.bucketwright.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/**
 * Reads a map's value as text even where it is none. Some schemas in the field let a tenant put any JSON there, and an
 * object that cannot be read would take the whole list, and so every other tenant's claim, down with it.
 */
final class LenientTextDeserializer extends StdDeserializer<String> {
    LenientTextDeserializer() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode node = parser.readValueAsTree();
        return node.isValueNode() ? node.asText() : node.toString();
    }

    @Override
    public String getNullValue(DeserializationContext context) {
        return "";
    }
}
