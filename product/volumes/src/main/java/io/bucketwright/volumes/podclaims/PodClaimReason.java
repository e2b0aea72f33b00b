package io.bucketwright.volumes.podclaims;

/** Reasons of the events of pods; dynamic-pvc-provisioner has used the same. */
final class PodClaimReason {

    /** The claim was created. */
    static final String PROVISIONED = "PVCProvisioned";

    /** The annotation {@code .enabled} is set and {@code .pvc} is not. */
    static final String MISSING_PVC = "ErrMissingPVC";

    /**
     * The template is not one claim of this namespace, the volume names no claim, or {@code .enabled} is neither true
     * nor false.
     */
    static final String INVALID_PVC = "ErrInvalidPVC";

    /** The pod has no volume of that name. */
    static final String MISSING_VOLUME = "ErrMissingVolume";

    /**
     * A claim of that name exists and is not owned by this pod, the API server rejected the claim, or the service
     * account is not allowed to create it.
     */
    static final String FAILED = "ErrPVCProvisionFailed";

    private PodClaimReason() {}
}
