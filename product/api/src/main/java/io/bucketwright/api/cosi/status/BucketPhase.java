package io.bucketwright.api.cosi.status;

/** The phase of a Bucket. The sidecar writes it. */
public enum BucketPhase implements CosiPhase {
    /** The bucket is being created, or has no access yet. */
    CREATING("Creating"),
    /** At least one access is granted. */
    BOUND("Bound"),
    /** No access is left; the bucket may be used again. */
    RELEASED("Released"),
    /** No access is left; the bucket is being deleted. */
    DELETING("Deleting"),
    /** The store has deleted or released it; the controller removes the object next. */
    DELETED("Deleted");

    private final String text;

    BucketPhase(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
