package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;

/** The finalizer, labels, annotations and references that the controller adds. It never changes those of others. */
public final class ClaimMetadata {

    private ClaimMetadata() {}

    public static boolean hasFinalizer(HasMetadata object) {
        return Metadata.hasFinalizer(object, ObjectBucketNames.FINALIZER);
    }

    /** A merge patch that adds the missing finalizer and labels; empty if none is missing. */
    public static Map<String, ?> missing(HasMetadata object, Map<String, String> labels) {
        return patch(object, labels).fields();
    }

    /** The same, with annotations that must have these values. */
    public static Map<String, ?> missing(
            HasMetadata object, Map<String, String> labels, Map<String, String> annotations) {
        return patch(object, labels).withAnnotations(annotations).fields();
    }

    public static Map<String, ?> withoutFinalizer(HasMetadata object) {
        return Metadata.withoutFinalizer(object, ObjectBucketNames.FINALIZER);
    }

    /** A merge patch that adds missing metadata and the names of the claim's objects; empty if nothing is missing. */
    public static Map<String, ?> missingOnClaim(
            ObjectBucketClaim claim,
            ProvisionerSettings settings,
            BucketOrigin origin,
            String bucket,
            String object,
            ApplicationObjects objects) {
        MetadataPatch patch = patch(claim, settings.allLabels());
        if (!patch.isEmpty()) {
            // The value of the label can be truncated; the annotation has the full name of the provisioner.
            patch.withAnnotations(Map.of(
                    ObjectBucketNames.PROVISIONER_ANNOTATION,
                    settings.provisioner().text()));
        }
        Map<String, Object> fields = new HashMap<>(patch.fields());
        ObjectBucketClaimSpec spec = claim.getSpec();
        boolean named = spec.objectBucket().filter(object::equals).isPresent();
        boolean bucketNamed = origin == BucketOrigin.EXISTING
                || spec.bucket().filter(bucket::equals).isPresent();
        if (!named || !bucketNamed) {
            Map<String, Object> names = new HashMap<>();
            names.put("objectBucketName", object);
            names.put(
                    "objectBucketRef",
                    Map.of("apiVersion", claim.getApiVersion(), "kind", "ObjectBucket", "name", object));
            if (!objects.singleSecret()) {
                names.put("configMapRef", reference("ConfigMap", claim, objects.configMap()));
            }
            names.put("secretRef", reference("Secret", claim, objects.secret()));
            if (!bucketNamed) {
                names.put("bucketName", bucket);
            }
            fields.put("spec", names);
        }
        return fields;
    }

    private static MetadataPatch patch(HasMetadata object, Map<String, String> labels) {
        return Metadata.patch(object).withFinalizer(ObjectBucketNames.FINALIZER).withLabels(labels);
    }

    private static Map<String, String> reference(String kind, ObjectBucketClaim claim, String name) {
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                kind,
                "namespace",
                claim.getMetadata().getNamespace(),
                "name",
                name);
    }
}
