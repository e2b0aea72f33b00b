package io.bucketwright.volumes.releaser;

/** The reasons of events on volumes, the same as those of reclaimable-pv-releaser. */
final class ReleaseReason {

    /** The volume is now managed by this releaser. */
    static final String ASSOCIATED = "Associated";

    /** The claim of the volume no longer exists, and the volume is made Available again. */
    static final String RELEASED = "Released";

    /** The volume could not be associated with this releaser. The message says why. */
    static final String ASSOCIATION_FAILED = "ErrAssociatePV";

    /** The volume stays Released. The message says why. */
    static final String RELEASE_FAILED = "ErrReleasePV";

    private ReleaseReason() {}
}
