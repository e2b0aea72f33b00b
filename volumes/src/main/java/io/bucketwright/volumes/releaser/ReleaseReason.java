package io.bucketwright.volumes.releaser;

/** The reasons of events on volumes, the same as those of reclaimable-pv-releaser. */
enum ReleaseReason {
    ASSOCIATED("Associated"),
    RELEASED("Released"),
    ASSOCIATION_FAILED("ErrAssociatePV"),
    RELEASE_FAILED("ErrReleasePV");

    private final String text;

    ReleaseReason(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
