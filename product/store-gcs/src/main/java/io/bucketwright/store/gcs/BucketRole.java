package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.ObjectAction;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a principal may do, as a role of Cloud Storage and perhaps a condition. None of the roles has a permission on the
 * bucket itself, or on ACLs.
 *
 * @param name the name of a predefined role
 * @param condition an expression; empty for none
 */
record BucketRole(String name, String condition) {

    private static final String TITLE = "bucketwright-prefix";

    private static final BucketRole VIEWER = new BucketRole("roles/storage.objectViewer", "");
    private static final BucketRole CREATOR = new BucketRole("roles/storage.objectCreator", "");

    /** The roles that {@link #ofAnonymous} can give. */
    static final List<BucketRole> ANONYMOUS = List.of(VIEWER, CREATOR);

    /**
     * The roles for an access.
     *
     * @throws Unsupported if no predefined roles allow exactly this
     */
    static List<BucketRole> of(BucketName bucket, Access access) {
        String condition = access.prefix().isEmpty() ? "" : condition(bucket, access.prefix());
        return names(ObjectAction.of(access, "Google Cloud Storage")).stream()
                .map(name -> new BucketRole(name, condition))
                .toList();
    }

    private static List<String> names(Set<ObjectAction> actions) {
        if (actions.size() == ObjectAction.values().length) {
            return List.of("roles/storage.objectUser");
        }
        Set<ObjectAction> left = EnumSet.copyOf(actions);
        List<String> names = new ArrayList<>();
        if (left.remove(ObjectAction.WRITE)) {
            names.add(CREATOR.name());
        }
        if (left.containsAll(EnumSet.of(ObjectAction.READ, ObjectAction.LIST))) {
            left.removeAll(EnumSet.of(ObjectAction.READ, ObjectAction.LIST));
            names.add(VIEWER.name());
        } else if (left.remove(ObjectAction.READ)) {
            // The only one without lists.
            names.add("roles/storage.legacyObjectReader");
        }
        if (!left.isEmpty()) {
            throw new Unsupported("Google Cloud Storage cannot allow the policy action "
                    + left.stream().map(ObjectAction::text).collect(Collectors.joining(", "))
                    + " without others: list needs read, and delete needs read, list and write, because predefined roles"
                    + " are granted.");
        }
        return names;
    }

    /** The roles of everybody, as an option sets them. */
    static List<BucketRole> ofAnonymous(AnonymousAccess access) {
        return switch (access) {
            case PRIVATE -> List.of();
            case READ_ONLY -> List.of(VIEWER);
            case WRITE_ONLY -> List.of(CREATOR);
            case READ_WRITE -> ANONYMOUS;
        };
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
