package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.client.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is written to volumes. The writer lets each patch apply to one version of the volume only; those that touch the
 * claim also name the life of the claim they are about.
 */
final class Patches {

    private static final String CLAIM = "/spec/claimRef";

    private Patches() {}

    static JsonPatch associate(PersistentVolume volume, Settings settings) {
        JsonPatch patch = ofItsClaim(volume);
        // An object without labels has no place to add one to: the defect that cost the predecessor every association.
        patch = isEmpty(volume.getMetadata().getLabels())
                ? patch.add(
                        "/metadata/labels",
                        Map.of(Marks.MANAGED_BY, settings.id().value()))
                : patch.add(label(Marks.MANAGED_BY), settings.id().value());
        return annotate(patch, volume, Marks.ASSOCIATED, Volumes.claimUid(volume));
    }

    static JsonPatch disassociate(PersistentVolume volume) {
        return withoutAssociation(JsonPatch.empty(), volume);
    }

    /** For everybody. */
    static JsonPatch release(PersistentVolume volume) {
        JsonPatch patch = Volumes.claimUid(volume).isEmpty() ? JsonPatch.empty() : ofItsClaim(volume);
        patch = withoutBindersMark(withoutAssociation(patch.remove(CLAIM), volume), volume);
        return withoutAnnotation(withoutAnnotation(patch, volume, Marks.SCRUB), volume, Marks.SCRUBBED);
    }

    /** For the same claim, should it come back. */
    static JsonPatch releaseSoftly(PersistentVolume volume) {
        JsonPatch patch = ofItsClaim(volume).remove(CLAIM + "/uid");
        boolean versioned = Volumes.claim(volume)
                .map(ObjectReference::getResourceVersion)
                .filter(version -> !version.isEmpty())
                .isPresent();
        if (versioned) {
            patch = patch.remove(CLAIM + "/resourceVersion");
        }
        return withoutBindersMark(withoutAssociation(patch, volume), volume);
    }

    static JsonPatch reserve(PersistentVolume volume, Settings settings) {
        JsonPatch patch = ofItsClaim(volume)
                .replace(
                        CLAIM,
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "PersistentVolumeClaim",
                                "namespace",
                                settings.scrubNamespace(),
                                "name",
                                ScrubObjects.name(volume)));
        String before = Marks.annotation(volume, Marks.SCRUB);
        String mark = before.isEmpty()
                ? ScrubMark.of(settings.id(), Volumes.claimUid(volume)).text()
                : before;
        return annotate(withoutBindersMark(patch, volume), volume, Marks.SCRUB, mark);
    }

    static JsonPatch markScrubbed(PersistentVolume volume) {
        return annotate(JsonPatch.empty(), volume, Marks.SCRUBBED, "true");
    }

    private static JsonPatch ofItsClaim(PersistentVolume volume) {
        return JsonPatch.empty().test(CLAIM + "/uid", Volumes.claimUid(volume));
    }

    /** A label that an administrator put there has no such annotation beside it, and stays. */
    private static JsonPatch withoutAssociation(JsonPatch patch, PersistentVolume volume) {
        if (Marks.annotation(volume, Marks.ASSOCIATED).isEmpty()) {
            return patch;
        }
        JsonPatch less = withoutAnnotation(patch, volume, Marks.ASSOCIATED);
        return Marks.label(volume, Marks.MANAGED_BY).isEmpty() ? less : less.remove(label(Marks.MANAGED_BY));
    }

    private static JsonPatch withoutBindersMark(JsonPatch patch, PersistentVolume volume) {
        return withoutAnnotation(patch, volume, Marks.BOUND_BY_CONTROLLER);
    }

    private static JsonPatch annotate(JsonPatch patch, HasMetadata object, String key, String value) {
        return isEmpty(object.getMetadata().getAnnotations())
                ? patch.add("/metadata/annotations", Map.of(key, value))
                : patch.add(annotation(key), value);
    }

    private static JsonPatch withoutAnnotation(JsonPatch patch, HasMetadata object, String key) {
        return Marks.annotations(object).containsKey(key) ? patch.remove(annotation(key)) : patch;
    }

    private static boolean isEmpty(@Nullable Map<?, ?> map) {
        return map == null || map.isEmpty();
    }

    private static String label(String key) {
        return JsonPatch.path("metadata", "labels", key);
    }

    private static String annotation(String key) {
        return JsonPatch.path("metadata", "annotations", key);
    }
}
