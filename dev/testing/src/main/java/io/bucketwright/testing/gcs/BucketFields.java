package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** The fields of a bucket that clients can set. */
final class BucketFields {

    static final String[] WRITABLE = {
        "name",
        "location",
        "storageClass",
        "labels",
        "versioning",
        "lifecycle",
        "cors",
        "retentionPolicy",
        "softDeletePolicy",
        "iamConfiguration"
    };

    static final int MOST_LABELS = 64;
    private static final Set<String> ACTIONS = Set.of("Delete", "SetStorageClass", "AbortIncompleteMultipartUpload");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private BucketFields() {}

    static void checkName(String name) {
        if (!name.matches("[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]") || name.startsWith("goog") || name.contains("google")) {
            throw GcsProblem.invalid("Invalid bucket name: '" + name + "'");
        }
    }

    static void check(JsonNode bucket) {
        JsonNode labels = bucket.path("labels");
        labels.properties().forEach(label -> {
            if (!label.getKey().matches("[\\p{Ll}\\p{Lo}][\\p{Ll}\\p{Lo}\\p{N}_-]{0,62}")
                    || !(label.getValue().isNull()
                            || label.getValue().asText().matches("[\\p{Ll}\\p{Lo}\\p{N}_-]{0,63}"))) {
                throw GcsProblem.invalid("Invalid label " + label);
            }
        });
        if (labels.size() > MOST_LABELS) {
            throw GcsProblem.invalid("A bucket can have at most 64 labels.");
        }
        object(bucket, "versioning", "enabled");
        object(bucket, "retentionPolicy", "retentionPeriod");
        object(bucket, "iamConfiguration", "uniformBucketLevelAccess", "publicAccessPrevention");
        object(bucket.path("iamConfiguration"), "uniformBucketLevelAccess", "enabled");
        object(bucket, "lifecycle", "rule");
        for (JsonNode rule : bucket.path("lifecycle").path("rule")) {
            GcsRequest.checkFields(rule, "action", "condition");
            GcsRequest.checkFields(rule.path("action"), "type", "storageClass");
            GcsRequest.checkFields(
                    rule.path("condition"),
                    "age",
                    "isLive",
                    "matchesPrefix",
                    "numNewerVersions",
                    "daysSinceNoncurrentTime");
            String action = rule.path("action").path("type").asText();
            if (!ACTIONS.contains(action)
                    || rule.path("condition").isEmpty()
                    || action.equals("SetStorageClass") != rule.path("action").has("storageClass")) {
                throw GcsProblem.invalid("Invalid lifecycle rule " + rule);
            }
        }
        for (JsonNode rule : bucket.path("cors")) {
            GcsRequest.checkFields(rule, "origin", "method", "responseHeader", "maxAgeSeconds");
        }
    }

    private static void object(JsonNode bucket, String field, String... fields) {
        JsonNode value = bucket.path(field);
        if (!value.isMissingNode() && !value.isNull()) {
            GcsRequest.checkFields(value, fields);
        }
    }

    /** Applies a merge patch: null removes a field. */
    static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value.isObject()) {
                JsonNode old = target.path(field.getKey());
                merge(old.isObject() ? (ObjectNode) old : target.putObject(field.getKey()), value);
            } else {
                target.set(field.getKey(), value);
            }
        });
    }

    static ArrayNode array(String json) {
        try {
            return (ArrayNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
