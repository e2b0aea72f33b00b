package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The JSON format of markers and of root identities. Files on disks outlive releases, so the format has a version. */
final class MarkerFormat {

    static final int VERSION = 1;

    private final ObjectMapper json = new ObjectMapper();

    byte[] write(Marker marker) {
        ObjectNode root = versioned();
        root.put("name", marker.name().text());
        root.putObject("claim")
                .put("namespace", marker.claim().namespace())
                .put("name", marker.claim().name())
                .put("uid", marker.claim().uid())
                .put("namespaceUid", marker.claim().namespaceUid());
        root.put("cluster", marker.cluster());
        root.put("provisioner", marker.provisioner());
        root.put("root", marker.root());
        root.put("storageClass", marker.storageClass());
        root.put("published", marker.published());
        root.put("node", marker.node());
        root.putObject("owner")
                .put("uid", marker.owner().uid())
                .put("gid", marker.owner().gid());
        root.put("mode", marker.mode().toString());
        root.put("bytes", marker.bytes());
        root.put("onDelete", marker.onDelete().text());
        root.put("state", marker.state().text());
        root.put("archive", marker.archive());
        return bytes(root);
    }

    byte[] write(RootIdentity identity) {
        return bytes(versioned().put("id", identity.id()).put("cluster", identity.cluster()));
    }

    /** Reads the marker of a directory. */
    Marker marker(DirectoryName name, byte[] content) throws MarkerFormatException {
        Marker marker = marker("The marker of directory " + name, content);
        if (!marker.name().equals(name)) {
            throw new MarkerFormatException("The marker of directory " + name + " is for directory " + marker.name()
                    + ": the file was copied or renamed");
        }
        return marker;
    }

    /** Reads a marker; the description is the subject of error messages. */
    Marker marker(String description, byte[] content) throws MarkerFormatException {
        JsonNode root = parse(description, content);
        try {
            JsonNode claim = root.required("claim");
            return new Marker(
                    new DirectoryName(text(root, "name")),
                    new ClaimIdentity(
                            text(claim, "namespace"),
                            text(claim, "name"),
                            text(claim, "uid"),
                            text(claim, "namespaceUid")),
                    text(root, "cluster"),
                    text(root, "provisioner"),
                    text(root, "root"),
                    text(root, "storageClass"),
                    text(root, "published"),
                    text(root, "node"),
                    new DirectoryOwner(
                            root.required("owner").required("uid").longValue(),
                            root.required("owner").required("gid").longValue()),
                    DirectoryMode.parse(text(root, "mode")),
                    root.required("bytes").longValue(),
                    DeletionPolicy.parse(text(root, "onDelete")),
                    Marker.State.parse(text(root, "state")),
                    text(root, "archive"));
        } catch (IllegalArgumentException e) {
            throw new MarkerFormatException(description + " is incomplete: " + e.getMessage());
        }
    }

    RootIdentity identity(byte[] content) throws MarkerFormatException {
        JsonNode root = parse("The root's identity", content);
        try {
            return new RootIdentity(text(root, "id"), text(root, "cluster"));
        } catch (IllegalArgumentException e) {
            throw new MarkerFormatException("The root's identity is incomplete: " + e.getMessage());
        }
    }

    private JsonNode parse(String description, byte[] content) throws MarkerFormatException {
        try {
            JsonNode root = json.readTree(content);
            int version = root.path("version").asInt(0);
            if (version > VERSION) {
                throw new MarkerFormatException(description + " has format version " + version
                        + ", and this release supports up to " + VERSION + ": use a newer release");
            }
            if (version < 1) {
                throw new MarkerFormatException(description + " has no version: bucketwright did not write it");
            }
            return root;
        } catch (MarkerFormatException e) {
            throw e;
        } catch (IOException e) {
            throw new MarkerFormatException(description + " is not valid JSON");
        }
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.required(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(field + " is not a string");
        }
        return value.textValue();
    }

    private ObjectNode versioned() {
        return json.createObjectNode().put("version", VERSION);
    }

    private byte[] bytes(ObjectNode root) {
        try {
            return (json.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
