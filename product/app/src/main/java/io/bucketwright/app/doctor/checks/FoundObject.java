package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The object that a finding is about.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record FoundObject(String kind, String namespace, String name) {

    /** Kinds of both APIs of COSI. With its group, kubectl finds the released one. */
    private static final Set<String> OF_TWO_GROUPS =
            Set.of("Bucket", "BucketAccess", "BucketClass", "BucketAccessClass");

    public static FoundObject of(HasMetadata object) {
        boolean qualified = OF_TWO_GROUPS.contains(object.getKind())
                && object.getApiVersion().startsWith(ReleasedNames.GROUP + "/");
        return new FoundObject(
                qualified ? object.getKind() + "." + ReleasedNames.GROUP : object.getKind(),
                Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                object.getMetadata().getName());
    }

    /** A cluster-scoped object. */
    public static FoundObject cluster(String kind, String name) {
        return new FoundObject(kind, "", name);
    }

    /** Whether an object has this name; the namespace of a cluster-scoped object is empty. */
    static boolean isNamed(HasMetadata object, String namespace, String name) {
        return object.getMetadata().getName().equals(name)
                && Objects.requireNonNullElse(object.getMetadata().getNamespace(), "")
                        .equals(namespace);
    }

    /** The command that shows the object with its events. */
    public String describe() {
        return "kubectl describe " + (namespace.isEmpty() ? "" : "-n " + namespace + " ")
                + kind.toLowerCase(Locale.ROOT) + " " + name;
    }

    /** Kind, namespace and name in one line. */
    @Override
    public String toString() {
        return SafeText.line(kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name));
    }
}
