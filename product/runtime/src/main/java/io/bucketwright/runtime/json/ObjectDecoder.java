package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes objects of one class directly from the tokens of a JSON parser: no tree, no search for the class of a kind, and
 * nothing of {@code managedFields}.
 */
public final class ObjectDecoder<T extends HasMetadata> {

    private static final List<String> IDENTITY = List.of("apiVersion", "kind", "metadata");

    private final ObjectReader reader;

    public ObjectDecoder(ObjectMapper mapper, Class<T> type) {
        // Not eager: what decodes a Pod consists of 400 classes, and there may be no pod.
        this.reader = mapper.reader()
                .without(DeserializationFeature.EAGER_DESERIALIZER_FETCH)
                .forType(type);
    }

    public JsonParser parser(InputStream json) throws IOException {
        return reader.createParser(json);
    }

    public JsonParser parser(byte[] json) throws IOException {
        return reader.createParser(json);
    }

    /**
     * Decodes the object that the parser is at.
     *
     * @throws JsonMappingException if it does not fit the class
     */
    public T decode(JsonParser parser) throws IOException {
        try {
            @Nullable T object = reader.readValue(parser);
            if (object == null || object.getMetadata() == null) {
                throw JsonMappingException.from(parser, "no object, or one without metadata");
            }
            return object;
        } catch (StackOverflowError | RuntimeException e) {
            // Nested too deeply, or a value that the class refuses.
            throw JsonMappingException.from(parser, String.valueOf(e.getMessage()), e);
        }
    }

    /** The whole JSON value that the parser is at, of whatever shape. */
    public JsonNode tree(JsonParser parser) throws IOException {
        return reader.readTree(parser);
    }

    /** The whole JSON value, of whatever shape. */
    public JsonNode tree(byte[] json) throws IOException {
        return reader.readTree(json);
    }

    public T decode(JsonNode tree) throws IOException {
        try (JsonParser tokens = reader.treeAsTokens(tree)) {
            tokens.nextToken();
            return decode(tokens);
        }
    }

    /** The object without its content, for one whose content does not fit the class. */
    public T decodeMetadata(JsonNode tree) throws IOException {
        ObjectNode bare = (ObjectNode) reader.createObjectNode();
        IDENTITY.stream().filter(tree::has).forEach(field -> bare.set(field, tree.get(field)));
        return decode(bare);
    }
}
