package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.errors.InputText;
import java.util.Map;
import java.util.regex.Pattern;

/** Which Secret a driver is to work with for a Bucket, as its parameters say. */
public sealed interface SecretReference {

    /** None: the driver has credentials of its own. */
    record Unneeded() implements SecretReference {}

    /** This one. */
    record Named(String namespace, String name) implements SecretReference {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** The parameters name none that there could be. */
    record Wrong(String message) implements SecretReference {}

    /** The name of the Bucket. */
    String BUCKET_NAME = "${bucket.name}";

    /** The namespace of the BucketRequest that the Bucket was made for. */
    String BUCKET_NAMESPACE = "${bucket.namespace}";

    Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    static SecretReference of(Bucket bucket, Provisioner provisioner) {
        Map<String, String> parameters = bucket.getSpec().parameters();
        String name = parameters.getOrDefault(ParameterKeys.PROVISIONER_SECRET_NAME, "");
        String namespace = parameters.getOrDefault(ParameterKeys.PROVISIONER_SECRET_NAMESPACE, "");
        if (name.isBlank()) {
            return namespace.isBlank()
                    ? new Unneeded()
                    : new Wrong("The parameter " + ParameterKeys.PROVISIONER_SECRET_NAMESPACE + " needs "
                            + ParameterKeys.PROVISIONER_SECRET_NAME + " beside it: make a new class with both.");
        }
        String creator =
                bucket.getSpec().creator().map(BucketRequestRef::namespace).orElse("");
        String filledName = filled(name, bucket, creator);
        String filledNamespace = namespace.isBlank() ? provisioner.namespace() : filled(namespace, bucket, creator);
        if (!NAME.matcher(filledName).matches()) {
            return wrong(ParameterKeys.PROVISIONER_SECRET_NAME, name, filledName);
        }
        if (!NAMESPACE.matcher(filledNamespace).matches()) {
            return wrong(ParameterKeys.PROVISIONER_SECRET_NAMESPACE, namespace, filledNamespace);
        }
        return new Named(filledNamespace, filledName);
    }

    private static String filled(String template, Bucket bucket, String creator) {
        String text = template.replace(BUCKET_NAME, bucket.getMetadata().getName());
        // Unresolvable stays as it is written, and is no legal name then.
        return creator.isEmpty() ? text : text.replace(BUCKET_NAMESPACE, creator);
    }

    private static Wrong wrong(String parameter, String template, String filled) {
        return new Wrong("The parameter " + parameter + ", " + InputText.quote(template) + ", leads to "
                + InputText.quote(filled) + ", which is no legal name; known are " + BUCKET_NAME + ", and "
                + BUCKET_NAMESPACE + " for a Bucket that was made for a request. Make a new class.");
    }
}
