package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiNames;
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

    /**
     * On a BucketRequest: {@code new} if the Bucket was to be made and is not an existing one that the user named. A
     * tenant who edits it gains nothing: the Bucket itself says whose it is.
     */
    static final String ORIGIN = "cosi.io/bucket-origin";

    static final String NEW = "new";

    private Marks() {}

    static boolean leaving(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean hasFinalizer(HasMetadata object, String finalizer) {
        return finalizers(object).contains(finalizer);
    }

    static boolean hasFinalizer(HasMetadata object) {
        return hasFinalizer(object, CosiNames.FINALIZER);
    }

    static boolean isMarked(HasMetadata object, Map<String, String> labels) {
        return hasFinalizer(object) && labels(object).entrySet().containsAll(labels.entrySet());
    }

    static String label(HasMetadata object, String key) {
        return labels(object).getOrDefault(key, "");
    }

    static String annotation(HasMetadata object, String key) {
        @Nullable Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(key, "");
    }

    static boolean isOwnedBy(HasMetadata object, String uid) {
        return owners(object).stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    static List<OwnerReference> owners(HasMetadata object) {
        @Nullable List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null ? List.of() : owners;
    }

    static OwnerReference owner(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** Our finalizer and these labels, as metadata to merge. */
    static Map<String, Object> metadata(HasMetadata object, Map<String, String> labels) {
        Map<String, Object> metadata = new HashMap<>();
        if (!hasFinalizer(object)) {
            List<String> all = new ArrayList<>(finalizers(object));
            all.add(CosiNames.FINALIZER);
            metadata.put("finalizers", all);
        }
        metadata.put("labels", labels);
        return metadata;
    }

    /** The same without our finalizer. */
    static Map<String, ?> withoutFinalizer(HasMetadata object) {
        List<String> left = new ArrayList<>(finalizers(object));
        left.remove(CosiNames.FINALIZER);
        return Map.of("metadata", Map.of("finalizers", left));
    }

    private static Map<String, String> labels(HasMetadata object) {
        @Nullable Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private static List<String> finalizers(HasMetadata object) {
        @Nullable List<String> finalizers = object.getMetadata().getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }
}
