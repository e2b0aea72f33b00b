package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON patches of volumes. The writer applies each patch to one resourceVersion only. Patches that change the claim reference
 * also test the uid of the claim.
 */
final class ReleasePatches {

    private static final String CLAIM = "/spec/claimRef";

    private ReleasePatches() {}

    static JsonPatch associate(PersistentVolume volume, ReleaserSettings settings) {
        JsonPatch patch = put(
                testClaimUid(volume),
                "labels",
                Metadata.labels(volume),
                Map.of(ReleaserNames.MANAGED_BY, settings.id().value()));
        return annotate(patch, volume, ReleaserNames.ASSOCIATED, PersistentVolumes.claimUid(volume));
    }

    static JsonPatch disassociate(PersistentVolume volume) {
        return withoutAssociation(JsonPatch.empty(), volume);
    }

    /** Any claim can bind the volume. */
    static JsonPatch release(PersistentVolume volume, ReleaserSettings settings) {
        JsonPatch patch = PersistentVolumes.claimUid(volume).isEmpty() ? JsonPatch.empty() : testClaimUid(volume);
        patch = withoutBinderAnnotation(withoutAssociation(patch.remove(CLAIM), volume, settings), volume);
        for (String annotation : List.of(
                ReleaserNames.SCRUB, ReleaserNames.SCRUBBED, ReleaserNames.NAMESPACE, ReleaserNames.FORMER_CLAIM)) {
            patch = withoutAnnotation(patch, volume, annotation);
        }
        return patch;
    }

    static JsonPatch recordNamespace(PersistentVolume volume, String namespaceUid) {
        return annotate(
                testClaimUid(volume),
                volume,
                ReleaserNames.NAMESPACE,
                FormerNamespace.text(PersistentVolumes.claimUid(volume), namespaceUid));
    }

    /** Only that claim can bind the volume: its uid is that of no other claim, also in a namespace that is created again. */
    static JsonPatch rebind(PersistentVolume volume, String claimUid, String namespaceUid, ReleaserSettings settings) {
        JsonPatch patch = testClaimUid(volume).replace(CLAIM + "/uid", claimUid);
        boolean versioned = PersistentVolumes.claim(volume)
                .map(ObjectReference::getResourceVersion)
                .filter(version -> !version.isEmpty())
                .isPresent();
        if (versioned) {
            patch = patch.remove(CLAIM + "/resourceVersion");
        }
        RecordedClaim former = new RecordedClaim(settings.id().value(), PersistentVolumes.claimUid(volume));
        Map<String, String> records = new TreeMap<>(Map.of(
                ReleaserNames.NAMESPACE,
                FormerNamespace.text(claimUid, namespaceUid),
                ReleaserNames.FORMER_CLAIM,
                former.text()));
        return put(
                withoutBinderAnnotation(withoutAssociation(patch, volume, settings), volume),
                "annotations",
                Metadata.annotations(volume),
                records);
    }

    /** The namespace was proved to be the same one when the volume was given to the successor. */
    static JsonPatch restoreFormerClaim(PersistentVolume volume, RecordedClaim former) {
        JsonPatch patch = withoutAnnotation(
                JsonPatch.empty().add(CLAIM + "/uid", former.claimUid()), volume, ReleaserNames.FORMER_CLAIM);
        String namespaceUid = new FormerNamespace(volume).recordedUid();
        return namespaceUid.isEmpty()
                ? patch
                : annotate(
                        patch, volume, ReleaserNames.NAMESPACE, FormerNamespace.text(former.claimUid(), namespaceUid));
    }

    static JsonPatch forgetFormerClaim(PersistentVolume volume) {
        return withoutAnnotation(testClaimUid(volume), volume, ReleaserNames.FORMER_CLAIM);
    }

    static JsonPatch reserve(PersistentVolume volume, ReleaserSettings settings) {
        JsonPatch patch = testClaimUid(volume)
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
        String before = Metadata.annotation(volume, ReleaserNames.SCRUB);
        String intent = before.isEmpty()
                ? new RecordedClaim(settings.id().value(), PersistentVolumes.claimUid(volume)).text()
                : before;
        return annotate(withoutBinderAnnotation(patch, volume), volume, ReleaserNames.SCRUB, intent);
    }

    static JsonPatch markScrubbed(PersistentVolume volume) {
        return annotate(JsonPatch.empty(), volume, ReleaserNames.SCRUBBED, "true");
    }

    private static JsonPatch testClaimUid(PersistentVolume volume) {
        return JsonPatch.empty().test(CLAIM + "/uid", PersistentVolumes.claimUid(volume));
    }

    /** A label that an administrator added has no such annotation and is kept. */
    private static JsonPatch withoutAssociation(JsonPatch patch, PersistentVolume volume) {
        if (Metadata.annotation(volume, ReleaserNames.ASSOCIATED).isEmpty()) {
            return patch;
        }
        JsonPatch reduced = withoutAnnotation(patch, volume, ReleaserNames.ASSOCIATED);
        return Metadata.label(volume, ReleaserNames.MANAGED_BY).isEmpty()
                ? reduced
                : reduced.remove(JsonPatch.path("metadata", "labels", ReleaserNames.MANAGED_BY));
    }

    /**
     * Also removes the label that reclaimable-pv-releaser wrote for an earlier claim, if volumes are associated
     * automatically: reclaimable-pv-releaser then removed its label at the release.
     */
    private static JsonPatch withoutAssociation(JsonPatch patch, PersistentVolume volume, ReleaserSettings settings) {
        JsonPatch reduced = withoutAssociation(patch, volume);
        boolean legacy = settings.automatic()
                && settings.id().value().equals(Metadata.label(volume, ReleaserNames.LEGACY_MANAGED_BY));
        return legacy ? reduced.remove(JsonPatch.path("metadata", "labels", ReleaserNames.LEGACY_MANAGED_BY)) : reduced;
    }

    private static JsonPatch withoutBinderAnnotation(JsonPatch patch, PersistentVolume volume) {
        return withoutAnnotation(patch, volume, ReleaserNames.BOUND_BY_CONTROLLER);
    }

    private static JsonPatch annotate(JsonPatch patch, HasMetadata object, String key, String value) {
        return put(patch, "annotations", Metadata.annotations(object), Map.of(key, value));
    }

    /** JSON patch cannot add a label or annotation to an object that has none; reclaimable-pv-releaser failed there. */
    private static JsonPatch put(JsonPatch patch, String field, Map<?, ?> present, Map<String, String> added) {
        if (present.isEmpty()) {
            return patch.add("/metadata/" + field, added);
        }
        JsonPatch extended = patch;
        for (Map.Entry<String, String> entry : added.entrySet()) {
            extended = extended.add(JsonPatch.path("metadata", field, entry.getKey()), entry.getValue());
        }
        return extended;
    }

    private static JsonPatch withoutAnnotation(JsonPatch patch, HasMetadata object, String key) {
        return Metadata.annotations(object).containsKey(key)
                ? patch.remove(JsonPatch.path("metadata", "annotations", key))
                : patch;
    }
}
