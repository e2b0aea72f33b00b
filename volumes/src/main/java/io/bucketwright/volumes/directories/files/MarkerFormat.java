package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Markers and identities as they lie on the disk, for longer than any version of this program. */
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
        root.put("onDelete", marker.onDelete().word());
        root.put("state", marker.state().name().toLowerCase(Locale.ROOT));
        root.put("archive", marker.archive());
        return text(root);
    }

    byte[] write(RootIdentity identity) {
        return text(versioned().put("id", identity.id()).put("cluster", identity.cluster()));
    }

    /** The marker of that directory. */
    Marker marker(AssetName name, byte[] content) throws UnreadableMarker {
        Marker marker = marker(name + "'s marker", content);
        if (!marker.name().equals(name)) {
            throw new UnreadableMarker("The marker of directory " + name + " speaks of " + marker.name()
                    + "; it was moved or copied by hand");
        }
        return marker;
    }

    /** A marker, whatever directory it speaks of. */
    Marker marker(String what, byte[] content) throws UnreadableMarker {
        JsonNode root = parse(what, content);
        try {
            JsonNode claim = root.required("claim");
            return new Marker(
                    new AssetName(word(root, "name")),
                    new ClaimIdentity(
                            word(claim, "namespace"),
                            word(claim, "name"),
                            word(claim, "uid"),
                            word(claim, "namespaceUid")),
                    word(root, "cluster"),
                    word(root, "provisioner"),
                    word(root, "root"),
                    word(root, "storageClass"),
                    word(root, "published"),
                    word(root, "node"),
                    new Owner(
                            root.required("owner").required("uid").longValue(),
                            root.required("owner").required("gid").longValue()),
                    Mode.parse(word(root, "mode")),
                    root.required("bytes").longValue(),
                    OnDelete.parse(word(root, "onDelete")),
                    Marker.State.valueOf(word(root, "state").toUpperCase(Locale.ROOT)),
                    word(root, "archive"));
        } catch (IllegalArgumentException e) {
            throw new UnreadableMarker("What should be " + what + " is not whole: " + e.getMessage());
        }
    }

    RootIdentity identity(byte[] content) throws UnreadableMarker {
        JsonNode root = parse("the root's identity", content);
        try {
            return new RootIdentity(word(root, "id"), word(root, "cluster"));
        } catch (IllegalArgumentException e) {
            throw new UnreadableMarker("The root's identity is not whole: " + e.getMessage());
        }
    }

    private JsonNode parse(String what, byte[] content) throws UnreadableMarker {
        try {
            JsonNode root = json.readTree(content);
            int version = root.path("version").asInt(0);
            if (version > VERSION) {
                throw new UnreadableMarker("The format of " + what + " is version " + version
                        + ", and this program knows up to " + VERSION + ": a newer one wrote it, run that again");
            }
            if (version < 1) {
                throw new UnreadableMarker("What should be " + what + " has no version: it is none of ours");
            }
            return root;
        } catch (UnreadableMarker e) {
            throw e;
        } catch (IOException e) {
            throw new UnreadableMarker("What should be " + what + " is not JSON");
        }
    }

    private static String word(JsonNode node, String field) {
        JsonNode value = node.required(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(field + " is not a text");
        }
        return value.textValue();
    }

    private ObjectNode versioned() {
        return json.createObjectNode().put("version", VERSION);
    }

    private byte[] text(ObjectNode root) {
        try {
            return (json.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
