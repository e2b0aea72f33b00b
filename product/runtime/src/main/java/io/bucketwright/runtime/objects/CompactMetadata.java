package io.bucketwright.runtime.objects;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Metadata without what no controller reads, in collections that need little memory: a cache holds very many of them. */
public final class CompactMetadata {

    /** A copy of the whole object as {@code kubectl apply} last wrote it. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private CompactMetadata() {}

    /** Changes the metadata in place; nobody may change it afterwards. What is compact already is not touched. */
    public static void compact(ObjectMeta metadata) {
        if (metadata.getAdditionalProperties().isEmpty()) {
            metadata.setAdditionalProperties(Map.of());
        }
        if (isMutable(metadata.getManagedFields())) {
            metadata.setManagedFields(List.of());
        }
        if (isMutable(metadata.getFinalizers())) {
            metadata.setFinalizers(copy(metadata.getFinalizers()));
        }
        if (isMutable(metadata.getOwnerReferences())) {
            metadata.setOwnerReferences(copy(metadata.getOwnerReferences()));
            metadata.getOwnerReferences().stream()
                    .filter(owner -> owner.getAdditionalProperties().isEmpty())
                    .forEach(owner -> owner.setAdditionalProperties(Map.of()));
        }
        if (isMutable(metadata.getLabels())) {
            metadata.setLabels(copy(metadata.getLabels()));
        }
        @Nullable Map<String, String> annotations = metadata.getAnnotations();
        if (annotations != null && annotations.containsKey(LAST_APPLIED)) {
            Map<String, String> others = new LinkedHashMap<>(annotations);
            others.remove(LAST_APPLIED);
            metadata.setAnnotations(copy(others));
        } else if (isMutable(annotations)) {
            metadata.setAnnotations(copy(annotations));
        }
    }

    /**
     * Takes equal values from an earlier version of the same object, so that they are in memory once, also where something
     * refers to that version, such as the key of a queue.
     */
    public static void share(ObjectMeta metadata, ObjectMeta earlier) {
        metadata.setName(same(metadata.getName(), earlier.getName()));
        metadata.setNamespace(same(metadata.getNamespace(), earlier.getNamespace()));
        metadata.setUid(same(metadata.getUid(), earlier.getUid()));
        metadata.setCreationTimestamp(same(metadata.getCreationTimestamp(), earlier.getCreationTimestamp()));
        metadata.setLabels(same(metadata.getLabels(), earlier.getLabels()));
        metadata.setAnnotations(same(metadata.getAnnotations(), earlier.getAnnotations()));
        metadata.setFinalizers(same(metadata.getFinalizers(), earlier.getFinalizers()));
        metadata.setOwnerReferences(same(metadata.getOwnerReferences(), earlier.getOwnerReferences()));
    }

    private static <T> T same(T value, T earlier) {
        return Objects.equals(value, earlier) ? earlier : value;
    }

    /** As Jackson and the builders make it. */
    private static boolean isMutable(@Nullable Object collection) {
        return collection instanceof ArrayList || collection instanceof LinkedHashMap;
    }

    private static <E> List<E> copy(List<E> list) {
        return List.copyOf(list.stream().filter(Objects::nonNull).toList());
    }

    /** Larger maps keep their order. */
    private static Map<String, String> copy(Map<String, String> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        Map.Entry<String, String> first = map.entrySet().iterator().next();
        return map.size() == 1 && first.getValue() != null ? Map.of(first.getKey(), first.getValue()) : map;
    }
}
