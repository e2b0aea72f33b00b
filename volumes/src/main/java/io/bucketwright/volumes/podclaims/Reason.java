package io.bucketwright.volumes.podclaims;

/** Why a pod's event was written, in the words that the controller had before us. */
enum Reason {
    PROVISIONED("PVCProvisioned"),
    MISSING_PVC("ErrMissingPVC"),
    INVALID_PVC("ErrInvalidPVC"),
    MISSING_VOLUME("ErrMissingVolume"),
    FAILED("ErrPVCProvisionFailed");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
