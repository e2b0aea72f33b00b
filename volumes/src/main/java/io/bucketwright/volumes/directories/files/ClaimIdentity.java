package io.bucketwright.volumes.directories.files;

/**
 * Which claim a directory was made for.
 *
 * @param namespaceUid tells the namespace from a later one of the same name
 */
public record ClaimIdentity(String namespace, String name, String uid, String namespaceUid) {

    public ClaimIdentity {
        if (namespace.isEmpty() || name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException("A claim has a namespace, a name and a uid, got '" + namespace + "', '"
                    + name + "' and '" + uid + "'");
        }
    }

    /** Whether that claim came back under its old name, in the same namespace and not merely one of the same name. */
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
