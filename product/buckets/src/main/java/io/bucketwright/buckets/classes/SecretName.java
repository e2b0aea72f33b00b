package io.bucketwright.buckets.classes;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.regex.Pattern;

/** The name of the Secret with the administrator credentials. Namespace and name are both set or both empty. */
public record SecretName(String namespace, String name) {

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    public SecretName {
        if (namespace.isEmpty() != name.isEmpty()) {
            throw new Invalid("parameters " + ClassParameters.SECRET_NAME + " and " + ClassParameters.SECRET_NAMESPACE
                    + " must be set together or not at all");
        }
        check(ClassParameters.SECRET_NAMESPACE, NAMESPACE, namespace);
        check(ClassParameters.SECRET_NAME, NAME, name);
    }

    /**
     * The Secret that Rook creates for the user {@code bucketwright} of the object store that a class for Rook's provisioner
     * names; empty for any other class.
     */
    static SecretName ofRook(Map<String, String> parameters) {
        String store = parameters.getOrDefault("objectStoreName", "");
        String namespace = parameters.getOrDefault("objectStoreNamespace", "");
        return store.isEmpty() || namespace.isEmpty()
                ? new SecretName("", "")
                : new SecretName(namespace, "rook-ceph-object-user-" + store + "-bucketwright");
    }

    /** Whether these parameters of a class name this Secret. */
    public boolean isIn(Map<String, String> parameters) {
        boolean named = name.equals(
                        parameters.getOrDefault(ClassParameters.SECRET_NAME, "").strip())
                && namespace.equals(parameters
                        .getOrDefault(ClassParameters.SECRET_NAMESPACE, "")
                        .strip());
        return named || equals(ofRook(parameters));
    }

    private static void check(String parameter, Pattern shape, String value) {
        if (!value.isEmpty() && !shape.matcher(value).matches()) {
            throw new Invalid("parameter " + parameter + " " + InputText.quote(value)
                    + " is not a valid Kubernetes name: use lower case letters, digits and hyphens");
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
