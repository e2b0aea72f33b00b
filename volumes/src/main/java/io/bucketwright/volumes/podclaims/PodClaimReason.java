package io.bucketwright.volumes.podclaims;

/** Reasons of the events of pods; dynamic-pvc-provisioner has used the same. */
final class PodClaimReason {

    static final String PROVISIONED = "PVCProvisioned";
    static final String MISSING_PVC = "ErrMissingPVC";
    static final String INVALID_PVC = "ErrInvalidPVC";
    static final String MISSING_VOLUME = "ErrMissingVolume";
    static final String FAILED = "ErrPVCProvisionFailed";

    private PodClaimReason() {}
}
