package io.bucketwright.volumes.releaser;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeStatus;
import java.util.Optional;

/** Null-safe access to the optional fields of volumes; the API server requires a spec. */
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
        return "Retain".equals(volume.getSpec().getPersistentVolumeReclaimPolicy());
    }

    static boolean isBlock(PersistentVolume volume) {
        return "Block".equals(volume.getSpec().getVolumeMode());
    }

    static String className(PersistentVolume volume) {
        return Optional.ofNullable(volume.getSpec().getStorageClassName()).orElse("");
    }

    static Optional<ObjectReference> claim(PersistentVolume volume) {
        return Optional.ofNullable(volume.getSpec().getClaimRef());
    }

    /** The uid of the claim that the volume is or was bound to; empty for none. */
    static String claimUid(PersistentVolume volume) {
        return claim(volume).map(ObjectReference::getUid).orElse("");
    }
}
