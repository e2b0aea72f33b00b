package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The finalizer, labels, annotations and references that the controller adds. It never changes those of others. */
public final class ClaimMetadata {

    /** On a claim: the full name of the provisioner; the value of the label can be truncated. */
    public static final String PROVISIONER = "bucketwright.io/provisioner";

    private ClaimMetadata() {}

    /** The provisioner that added the finalizer to a claim; empty if unknown. */
    public static String provisioner(ObjectBucketClaim claim) {
        @Nullable Map<String, String> annotations = claim.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(PROVISIONER, "");
    }

    public static boolean hasFinalizer(HasMetadata object) {
        return finalizers(object).contains(ObjectBucketNames.FINALIZER);
    }

    public static boolean isOwnedBy(HasMetadata object, String claimUid) {
        return owners(object).stream().anyMatch(owner -> claimUid.equals(owner.getUid()));
    }

    public static List<OwnerReference> owners(HasMetadata object) {
        @Nullable List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null ? List.of() : owners;
    }

    public static OwnerReference owner(ObjectBucketClaim claim) {
        return new OwnerReferenceBuilder()
                .withApiVersion(claim.getApiVersion())
                .withKind(claim.getKind())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** A merge patch that adds the missing finalizer and labels; empty if none is missing. */
    public static Map<String, ?> missing(HasMetadata object, Map<String, String> labels) {
        Map<String, Object> metadata = new HashMap<>();
        if (!hasFinalizer(object)) {
            List<String> finalizers = new ArrayList<>(finalizers(object));
            finalizers.add(ObjectBucketNames.FINALIZER);
            metadata.put("finalizers", finalizers);
        }
        @Nullable Map<String, String> present = object.getMetadata().getLabels();
        if (present == null || !present.entrySet().containsAll(labels.entrySet())) {
            metadata.put("labels", labels);
        }
        return metadata.isEmpty() ? Map.of() : Map.of("metadata", metadata);
    }

    /** A merge patch that removes the finalizer. */
    public static Map<String, ?> withoutFinalizer(HasMetadata object) {
        List<String> left = new ArrayList<>(finalizers(object));
        left.remove(ObjectBucketNames.FINALIZER);
        return Map.of("metadata", Map.of("finalizers", left));
    }

    /** A merge patch that adds missing metadata and the names of the claim's objects; empty if nothing is missing. */
    public static Map<String, ?> missingOnClaim(
            ObjectBucketClaim claim, ProvisionerSettings settings, BucketOrigin origin, String bucket, String object) {
        Map<String, Object> fields = new HashMap<>(missing(claim, settings.allLabels()));
        if (fields.get("metadata") instanceof Map<?, ?> given) {
            Map<Object, Object> metadata = new HashMap<>(given);
            metadata.put(
                    "annotations", Map.of(PROVISIONER, settings.provisioner().text()));
            fields.put("metadata", metadata);
        }
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
            String name = claim.getMetadata().getName();
            String namespace = claim.getMetadata().getNamespace();
            names.put(
                    "configMapRef",
                    Map.of("apiVersion", "v1", "kind", "ConfigMap", "namespace", namespace, "name", name));
            names.put("secretRef", Map.of("apiVersion", "v1", "kind", "Secret", "namespace", namespace, "name", name));
            if (!bucketNamed) {
                names.put("bucketName", bucket);
            }
            fields.put("spec", names);
        }
        return fields;
    }

    public static Map<String, ?> missingOnClaim(ObjectBucketClaim claim, ProvisionerSettings settings, BucketIntent intent, String object) {
        return missingOnClaim(claim, settings, intent.bucketOrigin().orElse(BucketOrigin.EXISTING), intent.bucketName(), object);
    }

    private static List<String> finalizers(HasMetadata object) {
        @Nullable List<String> finalizers = object.getMetadata().getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }
}
