package io.bucketwright.api.cosi;

import java.util.Arrays;
import java.util.Optional;

/** How far a Bucket has come. The sidecar writes it. */
public enum BucketPhase {
    /** It is being made, or has no access yet. */
    CREATING("Creating"),
    /** It is bound to at least one BucketRequest. */
    BOUND("Bound"),
    /** It is bound to nobody and may be used again. */
    RELEASED("Released"),
    /** It is bound to nobody and being deleted. */
    DELETING("Deleting"),
    /** The store is done with it; the object goes next. */
    DELETED("Deleted");

    private final String text;

    BucketPhase(String text) {
        this.text = text;
    }

    /** As it stands in the status. */
    public String text() {
        return text;
    }

    /** Empty for a word that is none of ours. */
    public static Optional<BucketPhase> of(String text) {
        return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
