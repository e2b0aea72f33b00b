package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What we put on objects beside their content. What others put there stays: only what is ours is ever patched. */
final class Marks {

    /** On a claim: the provisioner's whole name, which the label's value may be only a part of. */
    static final String PROVISIONER = "bucketwright.io/provisioner";

    private Marks() {}

    /** Who put the finalizer on a claim; empty if nobody says. */
    static String provisioner(ObjectBucketClaim claim) {
        @Nullable Map<String, String> annotations = claim.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(PROVISIONER, "");
    }

    static boolean hasFinalizer(HasMetadata object) {
        return finalizers(object).contains(ObjectBucketNames.FINALIZER);
    }

    static boolean isOwnedBy(HasMetadata object, String claimUid) {
        return owners(object).stream().anyMatch(owner -> claimUid.equals(owner.getUid()));
    }

    static List<OwnerReference> owners(HasMetadata object) {
        @Nullable List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null ? List.of() : owners;
    }

    static OwnerReference owner(ObjectBucketClaim claim) {
        return new OwnerReferenceBuilder()
                .withApiVersion(claim.getApiVersion())
                .withKind(claim.getKind())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** The finalizer and labels that an object lacks, as fields to merge; empty if it has them all. */
    static Map<String, ?> metadata(HasMetadata object, Map<String, String> labels) {
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

    /** The same without our finalizer. */
    static Map<String, ?> withoutFinalizer(HasMetadata object) {
        List<String> left = new ArrayList<>(finalizers(object));
        left.remove(ObjectBucketNames.FINALIZER);
        return Map.of("metadata", Map.of("finalizers", left));
    }

    /** What a claim lacks of our marks and of the names of what is made for it; empty if nothing. */
    static Map<String, ?> claim(
            ObjectBucketClaim claim, Settings settings, BucketOrigin origin, String bucket, String object) {
        Map<String, Object> fields = new HashMap<>(metadata(claim, settings.allLabels()));
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

    static Map<String, ?> claim(ObjectBucketClaim claim, Settings settings, BucketIntent intent, String object) {
        return claim(claim, settings, intent.bucketOrigin().orElse(BucketOrigin.EXISTING), intent.bucketName(), object);
    }

    private static List<String> finalizers(HasMetadata object) {
        @Nullable List<String> finalizers = object.getMetadata().getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }
}
