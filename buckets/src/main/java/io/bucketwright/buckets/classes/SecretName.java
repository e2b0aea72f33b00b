package io.bucketwright.buckets.classes;

import io.bucketwright.store.StoreException.Invalid;

/** Which Secret holds the administrator's credentials. Either both are given or none. */
public record SecretName(String namespace, String name) {

    public SecretName {
        if (namespace.isEmpty() != name.isEmpty()) {
            throw new Invalid("parameters " + ClassParameters.SECRET_NAME + " and " + ClassParameters.SECRET_NAMESPACE
                    + " go together: give both or neither");
        }
    }

    public boolean isEmpty() {
        return name.isEmpty();
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
