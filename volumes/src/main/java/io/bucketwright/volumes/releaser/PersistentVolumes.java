package io.bucketwright.volumes.releaser;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeStatus;
import java.util.Optional;

/** Null-safe access to the fields of volumes. */
final class PersistentVolumes {

    static final String RELEASED = "Released";
    static final String BOUND = "Bound";

    private PersistentVolumes() {}

    static String phase(PersistentVolume volume) {
        return Optional.ofNullable(volume.getStatus())
                .map(PersistentVolumeStatus::getPhase)
                .orElse("");
    }

    static boolean isRetained(PersistentVolume volume) {
        return spec(volume)
                .map(PersistentVolumeSpec::getPersistentVolumeReclaimPolicy)
                .filter("Retain"::equals)
                .isPresent();
    }

    static boolean isBlock(PersistentVolume volume) {
        return spec(volume)
                .map(PersistentVolumeSpec::getVolumeMode)
                .filter("Block"::equals)
                .isPresent();
    }

    static String className(PersistentVolume volume) {
        return spec(volume).map(PersistentVolumeSpec::getStorageClassName).orElse("");
    }

    static Optional<ObjectReference> claim(PersistentVolume volume) {
        return spec(volume).map(PersistentVolumeSpec::getClaimRef);
    }

    /** The uid of the claim that the volume is or was bound to; empty for none. */
    static String claimUid(PersistentVolume volume) {
        return claim(volume).map(ObjectReference::getUid).orElse("");
    }

    private static Optional<PersistentVolumeSpec> spec(PersistentVolume volume) {
        return Optional.ofNullable(volume.getSpec());
    }
}
