package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.json.ObjectHeader;
import io.bucketwright.runtime.json.ObjectScanner;
import java.io.IOException;
import java.util.Optional;

/**
 * What a watch event is about. It is read without decoding the object, because for many events this is enough: bookmarks,
 * deletions, and echoes of writes of this process.
 */
record EventHeader(String type, ObjectHeader object) {

    /** Reads only as far as necessary. The event loses what nobody reads: see {@link ObjectScanner}. */
    static EventHeader read(byte[] event, ObjectDecoder<?> decoder) throws IOException {
        Optional<ObjectScanner.Event> scanned = ObjectScanner.event(event);
        if (scanned.isPresent()) {
            return new EventHeader(scanned.get().type(), scanned.get().object());
        }
        try (JsonParser parser = decoder.parser(event)) {
            return read(parser);
        }
    }

    private static EventHeader read(JsonParser parser) throws IOException {
        String type = "";
        ObjectHeader object = ObjectHeader.NONE;
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("type")) {
                type = parser.getValueAsString("");
            } else if (field.equals("object") && value == JsonToken.START_OBJECT) {
                int depth = parser.getParsingContext().getNestingDepth();
                object = ObjectHeader.read(parser);
                if (!type.isEmpty()) {
                    break;
                }
                skipToEnd(parser, depth);
            } else {
                parser.skipChildren();
            }
        }
        return new EventHeader(type, object);
    }

    String key() {
        return InformerStore.key(object.namespace(), object.name());
    }

    /** Moves a fresh parser of an event to its object. */
    static void findObject(JsonParser parser) throws IOException {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals("object");
            parser.nextToken();
            if (found) {
                return;
            }
            parser.skipChildren();
        }
        throw new IOException("a watch event without an object");
    }

    /** To the end of the object whose fields have this depth. */
    private static void skipToEnd(JsonParser parser, int depth) throws IOException {
        while (parser.getParsingContext().getNestingDepth() >= depth) {
            if (parser.nextToken() == null) {
                return;
            }
        }
    }
}
