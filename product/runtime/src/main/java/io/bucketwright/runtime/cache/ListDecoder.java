package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** Decodes a page of a list while it arrives, one object at a time: no more than that one is in memory. */
final class ListDecoder<T extends HasMetadata> {

    /**
     * The end of a page.
     *
     * @param version of the list
     * @param next identifies the next page; empty if this is the last
     */
    record Page(String version, String next) {}

    private interface ItemDecoder<T> {
        Optional<T> decode(JsonParser parser) throws IOException;
    }

    private final ObjectDecoder<T> decoder;
    private final LenientObjects<T> lenient;

    ListDecoder(ObjectDecoder<T> decoder, LenientObjects<T> lenient) {
        this.decoder = decoder;
        this.lenient = lenient;
    }

    /** Throws at the first object that does not fit its class; then request the page again and read it leniently. */
    Page read(InputStream body, Consumer<T> objects) throws IOException {
        return read(body, parser -> Optional.of(decoder.decode(parser)), objects);
    }

    /** Reads each object as a tree first, so that one that does not fit its class hides no other. */
    Page readLeniently(InputStream body, Consumer<T> objects) throws IOException {
        return read(body, parser -> lenient.decode(decoder.tree(parser)), objects);
    }

    private Page read(InputStream body, ItemDecoder<T> items, Consumer<T> objects) throws IOException {
        String version = "";
        String next = "";
        try (JsonParser parser = decoder.parser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the response is not a list of objects");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("items") && value == JsonToken.START_ARRAY) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        items.decode(parser).ifPresent(objects);
                    }
                } else if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        String name = parser.currentName();
                        parser.nextToken();
                        switch (name) {
                            case "resourceVersion" -> version = parser.getValueAsString("");
                            case "continue" -> next = parser.getValueAsString("");
                            default -> parser.skipChildren();
                        }
                    }
                } else {
                    parser.skipChildren();
                }
            }
            // To the end of the response, so that the connection can be used for the next page.
            if (parser.nextToken() != null) {
                throw new IOException("the response goes on after the list");
            }
        }
        if (version.isEmpty()) {
            throw new IOException("the list has no resource version");
        }
        return new Page(version, next);
    }
}
