package io.bucketwright.runtime.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the metadata of objects; a field that is not set is empty, never null. */
public final class Metadata {

    private Metadata() {}

    /** Whether the object has a deletion timestamp. */
    public static boolean isBeingDeleted(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    public static Map<String, String> labels(HasMetadata object) {
        return orEmpty(object.getMetadata().getLabels());
    }

    /** The value of a label; empty if there is none. */
    public static String label(HasMetadata object, String key) {
        return labels(object).getOrDefault(key, "");
    }

    public static boolean hasLabels(HasMetadata object, Map<String, String> wanted) {
        return labels(object).entrySet().containsAll(wanted.entrySet());
    }

    public static Map<String, String> annotations(HasMetadata object) {
        return orEmpty(object.getMetadata().getAnnotations());
    }

    /** The value of an annotation; empty if there is none. */
    public static String annotation(HasMetadata object, String key) {
        return annotations(object).getOrDefault(key, "");
    }

    public static List<String> finalizers(HasMetadata object) {
        return orEmpty(object.getMetadata().getFinalizers());
    }

    public static boolean hasFinalizer(HasMetadata object, String finalizer) {
        return finalizers(object).contains(finalizer);
    }

    public static List<OwnerReference> owners(HasMetadata object) {
        return orEmpty(object.getMetadata().getOwnerReferences());
    }

    public static boolean isOwnedBy(HasMetadata object, String uid) {
        return owners(object).stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    /** The owner that is the object's controller. */
    public static Optional<OwnerReference> controllerOf(HasMetadata object) {
        return owners(object).stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }

    /** A reference to the object in whatever version: each repetition of an event must name the same one. */
    public static ObjectReference reference(HasMetadata object) {
        return new ObjectReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName())
                .withUid(object.getMetadata().getUid())
                .build();
    }

    /** A reference that makes this object the controller of another. */
    public static OwnerReference ownerReference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** Begins a merge patch of the object's metadata. */
    public static MetadataPatch patch(HasMetadata object) {
        return new MetadataPatch(object);
    }

    /** The merge patch that removes the finalizer. */
    public static Map<String, ?> withoutFinalizer(HasMetadata object, String finalizer) {
        return patch(object).withoutFinalizer(finalizer).fields();
    }

    /**
     * Everything in the metadata that users can change without a new generation, as one text to compare.
     *
     * @param ignoredAnnotations annotations that the controller itself writes
     */
    public static String inputs(HasMetadata object, String... ignoredAnnotations) {
        Map<String, String> annotations = new TreeMap<>(annotations(object));
        for (String ignored : ignoredAnnotations) {
            annotations.remove(ignored);
        }
        return object.getMetadata().getUid() + " " + object.getMetadata().getDeletionTimestamp() + " " + annotations
                + " " + new TreeMap<>(labels(object));
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
