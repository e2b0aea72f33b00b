package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A bucket as it was read.
 *
 * @param resource the resource {@code storage#bucket} of the JSON API
 */
record BucketState(BucketName bucket, JsonNode resource) {

    static final String PREVENTED = "enforced";

    OwnershipTags tags() {
        return Labels.read(labels());
    }

    /** A bucket in a list, whatever its name is. */
    static ListedBucket listed(JsonNode resource) {
        return new ListedBucket(
                resource.path("name").asText(""),
                Labels.read(labels(resource)),
                created(resource.path("timeCreated").asText("")));
    }

    ListedBucket listed() {
        return listed(resource);
    }

    private static Optional<Instant> created(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeParseException unknown) {
            return Optional.empty();
        }
    }

    Map<String, String> labels() {
        return labels(resource);
    }

    private static Map<String, String> labels(JsonNode resource) {
        Map<String, String> labels = new TreeMap<>();
        resource.path("labels").properties().forEach(label -> {
            // An emulator shows removed labels as null.
            if (!label.getValue().isNull()) {
                labels.put(label.getKey(), label.getValue().asText(""));
            }
        });
        return labels;
    }

    /**
     * All labels after a change, with null for those that are removed. The service merges labels; an emulator replaces them.
     */
    ObjectNode changedLabels(Map<String, String> set, Collection<String> removed) {
        ObjectNode changed = JsonNodeFactory.instance.objectNode();
        labels().forEach(changed::put);
        removed.forEach(changed::putNull);
        set.forEach(changed::put);
        return changed;
    }

    /** Changes with every change of the bucket's metadata. */
    String metageneration() {
        return resource.path("metageneration").asText("");
    }

    /** Whether nobody can give everybody access. */
    boolean preventsPublicAccess() {
        return resource.path("iamConfiguration")
                .path("publicAccessPrevention")
                .asText("")
                .equals(PREVENTED);
    }

    /** Whether only IAM gives access, and no ACL does. */
    boolean isUniform() {
        return resource.path("iamConfiguration")
                .path("uniformBucketLevelAccess")
                .path("enabled")
                .asBoolean(false);
    }
}
