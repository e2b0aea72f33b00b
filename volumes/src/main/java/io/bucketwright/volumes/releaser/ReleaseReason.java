package io.bucketwright.volumes.releaser;

/** The reasons of events on volumes, the same as those of reclaimable-pv-releaser. */
final class ReleaseReason {

    static final String ASSOCIATED = "Associated";
    static final String RELEASED = "Released";
    static final String ASSOCIATION_FAILED = "ErrAssociatePV";
    static final String RELEASE_FAILED = "ErrReleasePV";

    private ReleaseReason() {}
}
