package io.bucketwright.api.cosi.status;

/** The phase of a BucketAccess. */
public enum BucketAccessPhase implements CosiPhase {
    /** Access is granted. */
    BOUND("Bound"),
    /** Its Bucket was deleted. */
    RELEASED("Released"),
    /** An attempt failed; the sidecar retries. */
    RETRYING("Retrying"),
    /** Requires a change; the sidecar does not retry by itself. */
    FAILED("Failed");

    private final String text;

    BucketAccessPhase(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
