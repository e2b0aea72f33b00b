package io.bucketwright.volumes.directories.files;

/**
 * Identifies the claim that a directory was created for.
 *
 * @param namespaceUid distinguishes the namespace from a later one of the same name
 */
public record ClaimIdentity(String namespace, String name, String uid, String namespaceUid) {

    public ClaimIdentity {
        if (namespace.isEmpty() || name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException("A claim needs a namespace, a name and a uid, not '" + namespace + "', '"
                    + name + "' and '" + uid + "'");
        }
    }

    /** Whether this is a new claim of the same name, in the same namespace, and not in a new namespace of that name. */
    public boolean isSuccessorOf(ClaimIdentity former) {
        return namespace.equals(former.namespace)
                && name.equals(former.name)
                && !namespaceUid.isEmpty()
                && namespaceUid.equals(former.namespaceUid);
    }

    @Override
    public String toString() {
        return namespace + "/" + name + " (" + uid + ")";
    }
}
