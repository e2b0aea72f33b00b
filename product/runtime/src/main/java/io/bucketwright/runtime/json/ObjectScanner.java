package io.bucketwright.runtime.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the header of an object, or of a watch event, from the bytes of its JSON. It makes no tokens of what it skips, which
 * is nearly everything. It also overwrites the managers of fields with spaces: they are a third of an object, nobody here
 * reads them, and spaces are all that is left of them for a parser. Whatever is unusual, such as an escaped character in a
 * name, is left to a parser.
 */
public final class ObjectScanner {

    private static final byte[] TYPE = bytes("type");
    private static final byte[] OBJECT = bytes("object");
    private static final byte[] KIND = bytes("kind");
    private static final byte[] METADATA = bytes("metadata");
    private static final byte[] NAMESPACE = bytes("namespace");
    private static final byte[] NAME = bytes("name");
    private static final byte[] UID = bytes("uid");
    private static final byte[] VERSION = bytes("resourceVersion");
    private static final byte[] MANAGED_FIELDS = bytes("managedFields");

    private final byte[] json;
    private int next;
    /** Of the last name of a field. */
    private int nameStart;

    private int nameEnd;
    private boolean usual = true;

    private String type = "";
    private String kind = "";
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String version = "";

    private ObjectScanner(byte[] json) {
        this.json = json;
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /** What an object is; empty if a parser has to find it out. */
    public static Optional<ObjectHeader> object(byte[] json) {
        ObjectScanner scanner = new ObjectScanner(json);
        scanner.readObject();
        return scanner.usual ? Optional.of(scanner.header()) : Optional.empty();
    }

    /**
     * A watch event.
     *
     * @param type as in {@code MODIFIED}
     */
    public record Event(String type, ObjectHeader object) {

        /** An event that a parser has read. */
        public static Event of(JsonNode event) {
            return new Event(event.path("type").asText(""), ObjectHeader.of(event.path("object")));
        }
    }

    /** What an event is about; empty if a parser has to find it out. */
    public static Optional<Event> event(byte[] json) {
        ObjectScanner scanner = new ObjectScanner(json);
        scanner.readEvent();
        return scanner.usual && !scanner.type.isEmpty()
                ? Optional.of(new Event(scanner.type, scanner.header()))
                : Optional.empty();
    }

    private ObjectHeader header() {
        return new ObjectHeader(kind, namespace, name, uid, version);
    }

    /** Usually the type is first; otherwise it is found only after the object, by a parser. */
    private void readEvent() {
        enter();
        while (nextName()) {
            if (isName(TYPE)) {
                type = text();
            } else if (isName(OBJECT)) {
                readObject();
                return;
            } else {
                skipValue();
            }
        }
    }

    private void readObject() {
        enter();
        while (nextName()) {
            if (isName(KIND)) {
                kind = text();
            } else if (isName(METADATA)) {
                readMetadata();
                return;
            } else {
                skipValue();
            }
        }
    }

    private void readMetadata() {
        enter();
        while (nextName()) {
            if (isName(NAMESPACE)) {
                namespace = text();
            } else if (isName(NAME)) {
                name = text();
            } else if (isName(UID)) {
                uid = text();
            } else if (isName(VERSION)) {
                version = text();
            } else if (isName(MANAGED_FIELDS)) {
                blankValue();
            } else {
                skipValue();
            }
        }
    }

    /** The next byte that is not white space; 0 at the end. */
    private int peek() {
        while (next < json.length) {
            byte b = json[next];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            next++;
        }
        return 0;
    }

    private void enter() {
        if (peek() == '{') {
            next++;
        } else {
            giveUp();
        }
    }

    private void giveUp() {
        usual = false;
        next = json.length;
    }

    /** Moves to the value of the next field; false at the end of the object. */
    private boolean nextName() {
        int b = peek();
        if (b == ',') {
            next++;
            b = peek();
        }
        if (b == '}') {
            next++;
            return false;
        }
        if (b != '"') {
            giveUp();
            return false;
        }
        nameStart = next + 1;
        skipText();
        nameEnd = next - 1;
        if (peek() != ':') {
            giveUp();
            return false;
        }
        next++;
        return true;
    }

    private boolean isName(byte[] wanted) {
        if (nameEnd - nameStart != wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (json[nameStart + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** A value that is a text without escaped characters. */
    private String text() {
        if (peek() != '"') {
            giveUp();
            return "";
        }
        int start = next + 1;
        skipText();
        for (int i = start; i < next - 1; i++) {
            if (json[i] == '\\') {
                giveUp();
                return "";
            }
        }
        return usual ? new String(json, start, next - 1 - start, StandardCharsets.UTF_8) : "";
    }

    /** From a quotation mark to after the one that closes the text. */
    private void skipText() {
        for (int i = next + 1; i < json.length; i++) {
            byte b = json[i];
            if (b == '"') {
                next = i + 1;
                return;
            }
            if (b == '\\') {
                i++;
            }
        }
        giveUp();
    }

    private void skipValue() {
        int b = peek();
        if (b == '"') {
            skipText();
        } else if (b == '{' || b == '[') {
            skipNested();
        } else {
            while (next < json.length && json[next] != ',' && json[next] != '}') {
                next++;
            }
        }
    }

    private void skipNested() {
        int depth = 0;
        while (next < json.length) {
            byte b = json[next];
            if (b == '"') {
                skipText();
                continue;
            }
            next++;
            if (b == '{' || b == '[') {
                depth++;
            } else if ((b == '}' || b == ']') && --depth == 0) {
                return;
            }
        }
        giveUp();
    }

    private void blankValue() {
        if (peek() != '[') {
            skipValue();
            return;
        }
        int start = next + 1;
        skipNested();
        for (int i = start; usual && i < next - 1; i++) {
            json[i] = ' ';
        }
    }
}
