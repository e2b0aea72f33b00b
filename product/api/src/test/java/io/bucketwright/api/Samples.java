package io.bucketwright.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The objects in {@code samples/}: written by other controllers, by this release and by a later release. */
final class Samples {
    static final List<String> CLAIMS = List.of(
            "rook-claim-new-bucket", "rook-claim-existing-bucket", "noobaa-claim", "claim-of-the-design-documents");
    static final List<String> BUCKETS = List.of(
            "rook-bucket", "noobaa-bucket", "library-bucket-with-nulls", "bucket-of-ours", "bucket-of-tomorrow");

    private Samples() {}

    static ObjectBucketClaim claim(String sample) {
        return Serialization.unmarshal(yaml(sample), ObjectBucketClaim.class);
    }

    static ObjectBucket bucket(String sample) {
        return Serialization.unmarshal(yaml(sample), ObjectBucket.class);
    }

    static String yaml(String sample) {
        return resource("/samples/" + sample + ".yaml");
    }

    static String resource(String path) {
        try (InputStream content = Objects.requireNonNull(Samples.class.getResourceAsStream(path), path)) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The content without explicit nulls, which are equivalent to absent fields. */
    static JsonNode tree(Object object) {
        JsonNode tree = object instanceof String yaml
                ? Serialization.unmarshal(yaml, JsonNode.class)
                : Serialization.unmarshal(Serialization.asJson(object), JsonNode.class);
        dropNulls(tree);
        return tree;
    }

    private static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        node.forEach(Samples::dropNulls);
    }
}
