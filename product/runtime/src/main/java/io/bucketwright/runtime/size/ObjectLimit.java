package io.bucketwright.runtime.size;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits what an object costs in a cache, whatever a tenant writes into it; see {@link ObjectSize}. */
public final class ObjectLimit {

    private static final Logger log = LoggerFactory.getLogger(ObjectLimit.class);

    /** A bean with empty collections, or a map. */
    static final int OBJECT = 200;

    static final int ARRAY = 64;
    /** An entry of a map, its slot in the table, and the name, without its characters. */
    static final int FIELD = 96;
    /** A text in a slot of an array, without its characters. Other values need less. */
    static final int VALUE = 56;

    private final ObjectMapper mapper = LenientValues.mapper();

    /** The object as it is, or a part of fixed size of one that is too large. */
    public <T extends HasMetadata> T apply(T object) {
        try {
            SizeBound bound = new SizeBound();
            mapper.writeValue(bound, object);
            return bound.size() <= ObjectSize.LIMIT ? object : measured(object);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            // What cannot be measured, for example because it is nested deeply, may be large.
            log.debug(
                    "Of {} {} only the metadata is kept",
                    object.getKind(),
                    object.getMetadata().getName(),
                    e);
            return bare(object);
        }
    }

    private <T extends HasMetadata> T measured(T object) throws IOException {
        try (TokenBuffer tokens = new TokenBuffer(mapper, false)) {
            mapper.writeValue(tokens, object);
            return size(tokens) <= ObjectSize.LIMIT ? object : reduced(object, tokens);
        }
    }

    /** An estimate of the heap that the object needs, never less than it needs: see {@code ObjectLimitTest}. */
    private static long size(TokenBuffer tokens) throws IOException {
        long size = 0;
        try (JsonParser parser = tokens.asParser()) {
            JsonToken token = parser.nextToken();
            while (token != null && size <= ObjectSize.LIMIT) {
                size += switch (token) {
                    case START_OBJECT -> OBJECT;
                    case START_ARRAY -> ARRAY;
                    case FIELD_NAME -> FIELD + characters(parser);
                    case VALUE_STRING -> VALUE + characters(parser);
                    default -> 32;
                };
                token = parser.nextToken();
            }
        }
        return size;
    }

    private static long characters(JsonParser parser) throws IOException {
        String text = parser.getText();
        boolean wide = text.chars().anyMatch(character -> character > 0xff);
        return (wide ? 2L : 1L) * text.length();
    }

    private <T extends HasMetadata> T reduced(T object, TokenBuffer tokens) throws IOException {
        ObjectNode kept = mapper.createObjectNode();
        try (JsonParser parser = tokens.asParser()) {
            parser.nextToken();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                boolean wanted = field.equals("spec") || field.equals("status");
                if (parser.nextToken() == JsonToken.START_OBJECT && wanted) {
                    kept.set(field, ShortFields.of(parser, mapper.getNodeFactory()));
                } else {
                    parser.skipChildren();
                }
            }
        }
        return decoded(object, kept);
    }

    private <T extends HasMetadata> T bare(T object) {
        try {
            return decoded(object, mapper.createObjectNode());
        } catch (IOException e) {
            throw new IllegalStateException("A " + object.getKind() + " without fields cannot be decoded", e);
        }
    }

    private <T extends HasMetadata> T decoded(T object, ObjectNode fields) throws IOException {
        T part = mapper.readerFor(object.getClass()).readValue(fields);
        part.setMetadata(MetadataTrim.ofTooLarge(object));
        ObjectSize.markTooLarge(part.getMetadata());
        return part;
    }
}
