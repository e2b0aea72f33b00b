package io.bucketwright.runtime.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A merge patch of an object's metadata. It contains only what the object lacks; what others wrote there stays. */
public final class MetadataPatch {

    private final HasMetadata object;
    private final Map<String, @Nullable String> labels = new HashMap<>();
    private final Map<String, @Nullable String> annotations = new HashMap<>();
    private @Nullable List<String> finalizers;

    MetadataPatch(HasMetadata object) {
        this.object = object;
    }

    public MetadataPatch withFinalizer(String finalizer) {
        if (!Metadata.hasFinalizer(object, finalizer)) {
            changedFinalizers().add(finalizer);
        }
        return this;
    }

    public MetadataPatch withoutFinalizer(String finalizer) {
        if (Metadata.hasFinalizer(object, finalizer)) {
            changedFinalizers().remove(finalizer);
        }
        return this;
    }

    public MetadataPatch withLabels(Map<String, String> wanted) {
        missing(Metadata.labels(object), wanted, labels);
        return this;
    }

    public MetadataPatch withAnnotations(Map<String, String> wanted) {
        missing(Metadata.annotations(object), wanted, annotations);
        return this;
    }

    public MetadataPatch withoutAnnotation(String key) {
        if (Metadata.annotations(object).containsKey(key)) {
            annotations.put(key, null);
        }
        return this;
    }

    /** Whether the object has everything already. */
    public boolean isEmpty() {
        return fields().isEmpty();
    }

    /** The fields to merge, beginning with {@code metadata}; empty if the object has everything already. */
    public Map<String, ?> fields() {
        Map<String, Object> metadata = new HashMap<>();
        if (finalizers != null) {
            metadata.put("finalizers", finalizers);
        }
        if (!labels.isEmpty()) {
            metadata.put("labels", labels);
        }
        if (!annotations.isEmpty()) {
            metadata.put("annotations", annotations);
        }
        return metadata.isEmpty() ? Map.of() : Map.of("metadata", metadata);
    }

    private List<String> changedFinalizers() {
        List<String> changed = finalizers == null ? new ArrayList<>(Metadata.finalizers(object)) : finalizers;
        finalizers = changed;
        return changed;
    }

    private static void missing(
            Map<String, String> present, Map<String, String> wanted, Map<String, @Nullable String> patch) {
        wanted.forEach((key, value) -> {
            if (!value.equals(present.get(key))) {
                patch.put(key, value);
            }
        });
    }
}
