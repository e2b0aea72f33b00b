package io.bucketwright.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/**
 * Reads any JSON value as text. Some CRDs in use let a tenant put any JSON into a map of strings. An object that cannot be
 * deserialized would fail the whole list, and with it the claims of all other tenants.
 */
final class LenientTextDeserializer extends StdDeserializer<String> {
    LenientTextDeserializer() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            // As the mapper reads any text.
            return context.readValue(parser, String.class);
        }
        JsonNode node = parser.readValueAsTree();
        return node.isValueNode() ? node.asText() : node.toString();
    }

    @Override
    public String getNullValue(DeserializationContext context) {
        return "";
    }
}
