package io.bucketwright.app.doctor.finding;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
        @Nullable String namespace = object.getMetadata().getNamespace();
        boolean qualified = OF_TWO_GROUPS.contains(object.getKind())
                && object.getApiVersion().startsWith(ReleasedNames.GROUP + "/");
        return new FoundObject(
                qualified ? object.getKind() + "." + ReleasedNames.GROUP : object.getKind(),
                namespace == null ? "" : namespace,
                object.getMetadata().getName());
    }

    /** A cluster-scoped object. */
    public static FoundObject cluster(String kind, String name) {
        return new FoundObject(kind, "", name);
    }

    /** The object in an argument list of kubectl, such as {@code -n web objectbucketclaim photos}. */
    public String kubectl() {
        String resource = kind.toLowerCase(Locale.ROOT) + " " + name;
        return namespace.isEmpty() ? resource : "-n " + namespace + " " + resource;
    }

    /** Kind, namespace and name in one line. */
    @Override
    public String toString() {
        return SafeText.line(kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name));
    }
}
