package io.bucketwright.api.cosi.status;

/** The phase of a BucketRequest. An error phase ends when its cause is fixed. */
public enum BucketRequestPhase implements CosiPhase {
    /** The bucket is being created, or waits for its first access. */
    CREATING("Creating"),
    /** Access to the bucket has been granted. */
    BOUND("Bound"),
    /** Deleted by its user; accesses are being revoked or the bucket deleted. */
    DELETING("Deleting"),
    /** The BucketClass it names does not exist. */
    BUCKET_CLASS_NOT_FOUND("ErrBucketClassNotFound"),
    /** It names no BucketClass, and none is the default for its protocol. */
    NO_DEFAULT_BUCKET_CLASS("ErrNoDefaultBucketClass"),
    /** It names no BucketClass, and more than one is the default for its protocol. */
    MULTIPLE_DEFAULT_BUCKET_CLASSES("ErrMultipleDefaultBucketClasses"),
    /** Its BucketClass has another protocol. */
    CLASS_DOES_NOT_SUPPORT_PROTOCOL("ErrBucketClassDoesNotSupportProtocol"),
    /** The Bucket it names does not exist. */
    BUCKET_NOT_FOUND("ErrBucketNotFound"),
    /** The Bucket it names has another protocol. */
    BUCKET_DOES_NOT_SUPPORT_PROTOCOL("ErrBucketDoesNotSupportProtocol"),
    /** The Bucket it names does not permit its namespace. */
    NAMESPACE_NOT_PERMITTED("ErrNamespaceNotPermitted"),
    /** The API server refuses the Bucket: an admission policy forbids it. */
    CREATE_REJECTED("ErrCreateRejected"),
    /** Somebody else created a Bucket of the chosen name at the same moment: a new request gets another name. */
    BUCKET_NAME_TAKEN("ErrBucketNameTaken"),
    /** The Bucket is being deleted. */
    BUCKET_DELETION_IN_PROGRESS("ErrBucketDeletionInProgress"),
    /** The Bucket it was bound to was deleted, possibly with its data. The controller does not create another one. */
    BUCKET_DELETED("ErrBucketDeleted");

    private final String text;

    BucketRequestPhase(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
