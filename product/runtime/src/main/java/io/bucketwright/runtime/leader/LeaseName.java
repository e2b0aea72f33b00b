package io.bucketwright.runtime.leader;

import java.util.HashMap;
import java.util.Map;

/**
 * Namespace and name of a role's lease, and what its Lease says about the processes that compete for it.
 *
 * @param description annotations of the Lease, such as {@link #SERVES}; the release is a label, too
 */
public record LeaseName(String namespace, String name, Map<String, String> description) {

    /** The provisioner, driver or id that the leader works for. */
    public static final String SERVES = "bucketwright.io/serves";
    /** The Helm release of the processes. */
    public static final String RELEASE = "bucketwright.io/release";
    /** The kind of store that the leader serves. */
    public static final String STORE = "bucketwright.io/store";
    /** The class parameters that the leader adds, as JSON. */
    public static final String CLASS_DEFAULTS = "bucketwright.io/class-defaults";
    /** The namespace whose claims the leader serves; missing for all. */
    public static final String WATCH_NAMESPACE = "bucketwright.io/watch-namespace";
    /** The version of the leader. */
    public static final String VERSION = "bucketwright.io/controller-version";

    static final String PREFIX = "bucketwright.io/";

    public LeaseName {
        if (namespace.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "A lease needs a namespace and a name, got '" + namespace + "' and '" + name + "'");
        }
        description = Map.copyOf(description);
    }

    public LeaseName(String namespace, String name) {
        this(namespace, name, Map.of());
    }

    String serves() {
        return description.getOrDefault(SERVES, "");
    }

    /** Not app.kubernetes.io/instance: Argo CD deletes objects with that label that Git does not have. */
    Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>(Map.of("app.kubernetes.io/name", "bucketwright"));
        if (description.containsKey(RELEASE)) {
            labels.put(RELEASE, description.get(RELEASE));
        }
        return labels;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
