package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unsupported;

/**
 * What a principal may do, as a role of Cloud Storage and perhaps a condition. None of the roles has a permission on the
 * bucket itself, or on ACLs.
 *
 * @param name the name of a predefined role
 * @param condition an expression; empty for none
 */
record BucketRole(String name, String condition) {

    private static final String TITLE = "bucketwright-prefix";

    /**
     * The role for an access.
     *
     * @throws Unsupported if the access names single actions: only whole roles can be granted
     */
    static BucketRole of(BucketName bucket, Access access) {
        if (!access.allow().isEmpty() || !access.deny().isEmpty()) {
            throw new Unsupported("Google Cloud Storage does not support policy actions: it grants predefined roles.");
        }
        String role = switch (access.mode()) {
            case READ_WRITE -> "roles/storage.objectUser";
            case READ_ONLY -> "roles/storage.objectViewer";
            case WRITE_ONLY -> "roles/storage.objectCreator";
            case NONE -> throw new IllegalArgumentException("without access there is no principal");
        };
        return new BucketRole(role, access.prefix().isEmpty() ? "" : condition(bucket, access.prefix()));
    }

    /** Objects by their names, lists by the prefix in the request. A prefix contains no quote and no backslash. */
    private static String condition(BucketName bucket, String prefix) {
        return "resource.name.startsWith(\"projects/_/buckets/" + bucket + "/objects/" + prefix + "\") || "
                + "api.getAttribute(\"storage.googleapis.com/objectListPrefix\", \"\").startsWith(\"" + prefix + "\")";
    }

    /** A binding without members. */
    ObjectNode binding() {
        ObjectNode binding = JsonNodeFactory.instance.objectNode().put("role", name);
        if (!condition.isEmpty()) {
            binding.putObject("condition").put("title", TITLE).put("expression", condition);
        }
        return binding;
    }

    /** Whether a binding has this role and condition. */
    boolean isIn(JsonNode binding) {
        return binding.path("role").asText("").equals(name)
                && binding.path("condition").path("expression").asText("").equals(condition);
    }
}
