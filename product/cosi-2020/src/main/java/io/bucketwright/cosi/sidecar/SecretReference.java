package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.runtime.objects.SafeText;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The provisioner secret that the parameters of a Bucket name. */
sealed interface SecretReference {

    /** No Secret: the driver has its own credentials. */
    record None() implements SecretReference {}

    record Named(String namespace, String name) implements SecretReference {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** The parameters do not give a valid name or namespace. */
    record Invalid(String message) implements SecretReference {}

    /**
     * The name of the Bucket that an administrator created; otherwise {@code <namespace>.<name>} of the BucketRequest that
     * it was created for. The name of that Bucket joins both with a hyphen, which either may contain, so that a tenant
     * could request the name of another tenant's Bucket; no namespace contains a dot.
     */
    String BUCKET_NAME = "${bucket.name}";

    /** The namespace of the BucketRequest that the Bucket was created for. */
    String BUCKET_NAMESPACE = "${bucket.namespace}";

    Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    static SecretReference of(Bucket bucket, Provisioner provisioner) {
        return of(bucket.getSpec().parameters(), bucket, provisioner);
    }

    /** The Secret that the parameters of a BucketAccessClass name, or else those of the BucketClass. */
    static SecretReference of(BucketAccess access, Bucket bucket, Provisioner provisioner) {
        SecretReference own = of(access.getSpec().parameters(), bucket, provisioner);
        return own instanceof None ? of(bucket, provisioner) : own;
    }

    private static SecretReference of(Map<String, String> parameters, Bucket bucket, Provisioner provisioner) {
        String name = parameters.getOrDefault(ParameterKeys.PROVISIONER_SECRET_NAME, "");
        String namespace = parameters.getOrDefault(ParameterKeys.PROVISIONER_SECRET_NAMESPACE, "");
        if (name.isBlank()) {
            return namespace.isBlank()
                    ? new None()
                    : new Invalid("The parameter " + ParameterKeys.PROVISIONER_SECRET_NAMESPACE + " requires "
                            + ParameterKeys.PROVISIONER_SECRET_NAME + ". Create a class with both parameters.");
        }
        Optional<BucketRequestRef> creator = bucket.getSpec().creator();
        String filledName = filled(name, bucket, creator);
        String filledNamespace = namespace.isBlank() ? provisioner.namespace() : filled(namespace, bucket, creator);
        if (!NAME.matcher(filledName).matches()) {
            return invalid(ParameterKeys.PROVISIONER_SECRET_NAME, name, filledName);
        }
        if (!NAMESPACE.matcher(filledNamespace).matches()) {
            return invalid(ParameterKeys.PROVISIONER_SECRET_NAMESPACE, namespace, filledNamespace);
        }
        return new Named(filledNamespace, filledName);
    }

    private static String filled(String template, Bucket bucket, Optional<BucketRequestRef> creator) {
        String text = template.replace(
                BUCKET_NAME,
                creator.map(request -> request.namespace() + "." + request.name())
                        .orElse(bucket.getMetadata().getName()));
        // An unresolved variable stays, and the result is then not a valid name.
        return creator.map(request -> text.replace(BUCKET_NAMESPACE, request.namespace()))
                .orElse(text);
    }

    private static Invalid invalid(String parameter, String template, String filled) {
        return new Invalid("The parameter " + parameter + " " + SafeText.quoted(template) + " resolves to "
                + SafeText.quoted(filled) + ", which is not a valid name. Variables are " + BUCKET_NAME + " and, for a"
                + " Bucket that was created for a BucketRequest, " + BUCKET_NAMESPACE + ". Create a new class.");
    }
}
