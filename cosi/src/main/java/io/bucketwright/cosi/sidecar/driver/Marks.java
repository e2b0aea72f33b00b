package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.CosiNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What stands in an object's metadata. */
public final class Marks {

    private Marks() {}

    public static boolean isLeaving(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    public static boolean hasFinalizer(HasMetadata object, String finalizer) {
        return finalizers(object).contains(finalizer);
    }

    public static List<String> finalizers(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getFinalizers()).orElse(List.of());
    }

    public static Map<String, String> annotations(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getAnnotations()).orElse(Map.of());
    }

    public static Map<String, String> labels(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getLabels()).orElse(Map.of());
    }

    public static String annotation(HasMetadata object, String key) {
        return annotations(object).getOrDefault(key, "");
    }

    /** All that people can change without the generation telling, and none of what we write there ourselves. */
    public static String inputs(HasMetadata object) {
        Map<String, String> annotations = new TreeMap<>(annotations(object));
        annotations.remove(CosiNames.PROVISIONER_REPORT);
        return object.getMetadata().getUid() + " " + object.getMetadata().getGeneration() + " "
                + object.getMetadata().getDeletionTimestamp() + " " + annotations + " "
                + new TreeMap<>(labels(object));
    }
}
