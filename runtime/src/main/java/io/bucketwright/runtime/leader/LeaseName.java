package io.bucketwright.runtime.leader;

/** Namespace and name of a role's lease. */
public record LeaseName(String namespace, String name) {

    public LeaseName {
        if (namespace.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "A lease needs a namespace and a name, got '" + namespace + "' and '" + name + "'");
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
