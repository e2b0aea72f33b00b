package io.bucketwright.api.cosi;

import java.util.Arrays;
import java.util.Optional;

/** How far a BucketAccess has come. */
public enum BucketAccessPhase {
    /** Access is granted. */
    BOUND("Bound"),
    /** Its Bucket is gone. */
    RELEASED("Released"),
    /** Something failed that may go well the next time. */
    RETRYING("Retrying"),
    /** Something must be changed first. */
    FAILED("Failed");

    private final String text;

    BucketAccessPhase(String text) {
        this.text = text;
    }

    /** As it stands in the status. */
    public String text() {
        return text;
    }

    /** Empty for a word that is none of ours. */
    public static Optional<BucketAccessPhase> of(String text) {
        return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
