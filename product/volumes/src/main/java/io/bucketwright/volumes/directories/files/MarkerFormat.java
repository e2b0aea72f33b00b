package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The JSON format of markers and of root identities: the components of the records, in their order. Files on disks outlive
 * releases, so the format has a version.
 */
final class MarkerFormat {

    /** A marker or a root's identity that this version cannot read. Its directory or root is left unchanged. */
    static final class FormatException extends IOException {

        private FormatException(String message) {
            super(message);
        }
    }

    static final int VERSION = 1;

    private final ObjectMapper json = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    /** The content of the file of a marker or of a root's identity. */
    byte[] write(Record content) {
        ObjectNode root = json.createObjectNode().put("version", VERSION);
        root.setAll(json.<ObjectNode>valueToTree(content));
        try {
            return (json.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the marker of a directory. */
    Marker marker(DirectoryName name, byte[] content) throws FormatException {
        Marker marker = marker("The marker of directory " + name, content);
        if (!marker.name().equals(name)) {
            throw new FormatException("The marker of directory " + name + " is for directory " + marker.name()
                    + ": the file was copied or renamed");
        }
        return marker;
    }

    /** Reads a marker; the description is the subject of error messages. */
    Marker marker(String description, byte[] content) throws FormatException {
        return read(description, content, Marker.class);
    }

    RootIdentity identity(byte[] content) throws FormatException {
        return read("The root's identity", content, RootIdentity.class);
    }

    private <T> T read(String description, byte[] content, Class<T> type) throws FormatException {
        JsonNode root;
        try {
            root = json.readTree(content);
        } catch (IOException e) {
            throw new FormatException(description + " is not valid JSON");
        }
        int version = root.path("version").asInt(0);
        if (version > VERSION) {
            throw new FormatException(description + " has format version " + version
                    + ", and this release supports up to " + VERSION + ": use a newer release");
        }
        if (version < 1) {
            throw new FormatException(description + " has no version: bucketwright did not write it");
        }
        try {
            return json.treeToValue(root, type);
        } catch (JsonProcessingException e) {
            @Nullable Throwable cause = e.getCause();
            throw new FormatException(
                    description + " is incomplete: " + (cause == null ? e.getOriginalMessage() : cause.getMessage()));
        }
    }
}
