package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Which object it is, and in which version, read from its JSON without decoding it. What is not there is empty.
 *
 * @param namespace empty for cluster-scoped kinds
 */
public record ObjectHeader(String kind, String namespace, String name, String uid, String version) {

    public static final ObjectHeader NONE = new ObjectHeader("", "", "", "", "");

    /** Reads no further than the metadata. The parser is at the beginning of the object. */
    public static ObjectHeader read(JsonParser parser) throws IOException {
        String kind = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("kind")) {
                kind = parser.getValueAsString("");
            } else if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                return readMetadata(parser, kind);
            } else {
                parser.skipChildren();
            }
        }
        return new ObjectHeader(kind, "", "", "", "");
    }

    private static ObjectHeader readMetadata(JsonParser parser, String kind) throws IOException {
        String namespace = "";
        String name = "";
        String uid = "";
        String version = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "namespace" -> namespace = parser.getValueAsString("");
                case "name" -> name = parser.getValueAsString("");
                case "uid" -> uid = parser.getValueAsString("");
                case "resourceVersion" -> version = parser.getValueAsString("");
                default -> parser.skipChildren();
            }
        }
        return new ObjectHeader(kind, namespace, name, uid, version);
    }

    /** Whether it names an object in a version. */
    public boolean isComplete() {
        return !name.isEmpty() && !uid.isEmpty() && !version.isEmpty();
    }
}
