package io.bucketwright.api.cosi;

import java.util.Arrays;
import java.util.Optional;

/** How far a BucketRequest has come. Each error ends by itself when its reason does. */
public enum BucketRequestPhase {
    /** A bucket is being made, or waits for its first access. */
    CREATING("Creating"),
    /** Access to the bucket has been granted. */
    BOUND("Bound"),
    /** Deleted by its user; accesses, or the bucket itself, still have to go. */
    DELETING("Deleting"),
    /** The bucket is gone; so is this object in a moment. */
    DELETED("Deleted"),
    /** The BucketClass it names does not exist. */
    BUCKET_CLASS_NOT_FOUND("ErrBucketClassNotFound"),
    /** It names no BucketClass, and none is the default for its protocol. */
    NO_DEFAULT_BUCKET_CLASS("ErrNoDefaultBucketClass"),
    /** It names no BucketClass, and more than one is the default for its protocol. */
    TWO_DEFAULT_BUCKET_CLASSES("ErrTwoDefaultBucketClasses"),
    /** Its BucketClass speaks another protocol. */
    CLASS_DOES_NOT_SUPPORT_PROTOCOL("ErrBucketClassDoesNotSupportProtocol"),
    /** The Bucket it names does not exist. */
    BUCKET_NOT_FOUND("ErrBucketNotFound"),
    /** The Bucket it names speaks another protocol. */
    BUCKET_DOES_NOT_SUPPORT_PROTOCOL("ErrBucketDoesNotSupportProtocol"),
    /** The Bucket it names is not open to its namespace. */
    NAMESPACE_NOT_PERMITTED("ErrNamespaceNotPermitted"),
    /** Somebody else took the name of its Bucket in the same moment: a new request gets another name. */
    BUCKET_NAME_TAKEN("ErrBucketNameTaken"),
    /** The Bucket is being deleted. */
    BUCKET_DELETION_IN_PROGRESS("ErrBucketDeletionInProgress"),
    /** The Bucket it was bound to was deleted, and its data may be gone: nothing is made in its place. */
    BUCKET_LOST("ErrBucketLost");

    private final String text;

    BucketRequestPhase(String text) {
        this.text = text;
    }

    /** As it stands in the status. */
    public String text() {
        return text;
    }

    /** Empty for a word that is none of ours. */
    public static Optional<BucketRequestPhase> of(String text) {
        return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
