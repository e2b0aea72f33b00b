package io.bucketwright.runtime;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Identifies one object. The UID is part of it, so that an object created again under the same name starts without the
 * back-off, the delays and the failures of the former one.
 *
 * @param namespace empty for cluster-scoped objects
 */
public record ObjectKey(String namespace, String name, String uid) {

    public ObjectKey {
        if (name.isEmpty() || uid.isEmpty()) {
            throw new IllegalArgumentException(
                    "An object key needs a name and a uid, got name '" + name + "' and uid '" + uid + "'");
        }
    }

    public static ObjectKey of(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return new ObjectKey(
                namespace == null ? "" : namespace,
                object.getMetadata().getName(),
                object.getMetadata().getUid());
    }

    /** Whether this key names that very object, not merely one of the same name. */
    public boolean names(HasMetadata object) {
        return uid.equals(object.getMetadata().getUid());
    }

    @Override
    public String toString() {
        return (namespace.isEmpty() ? name : namespace + "/" + name) + " (" + uid + ")";
    }
}
