package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import java.util.Map;
import java.util.TreeMap;

/**
 * A bucket as it was read.
 *
 * @param resource the resource {@code storage#bucket} of the JSON API
 */
record BucketState(BucketName bucket, JsonNode resource) {

    OwnershipTags tags() {
        return Labels.read(labels());
    }

    Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        resource.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText("")));
        return labels;
    }

    /** Changes with every change of the bucket's metadata. */
    String metageneration() {
        return resource.path("metageneration").asText("");
    }

    /** Whether only IAM gives access, and no ACL does. */
    boolean isUniform() {
        return resource.path("iamConfiguration")
                .path("uniformBucketLevelAccess")
                .path("enabled")
                .asBoolean(false);
    }
}
