package io.bucketwright.api.cosi.status;

/** The phase of a BucketAccessRequest. An error phase ends when its cause is fixed. */
public enum BucketAccessRequestPhase implements CosiPhase {
    /** Access is being prepared. */
    PENDING("Pending"),
    /** Access is granted and its Secret exists. */
    BOUND("Bound"),
    /** Deleted by its user; access is being revoked. */
    DELETING("Deleting"),
    /** No BucketRequest of its namespace names the bucket. */
    BUCKET_REQUEST_NOT_FOUND("ErrBucketRequestNotFound"),
    /** The Bucket does not permit its namespace. */
    NAMESPACE_NOT_PERMITTED("ErrNamespaceNotPermitted"),
    /** The BucketAccessClass it names does not exist. */
    BUCKET_ACCESS_CLASS_NOT_FOUND("ErrBucketAccessClassNotFound"),
    /** Its BucketAccessClass is for another provisioner than the Bucket's. */
    CLASS_DOES_NOT_SUPPORT_PROVISIONER("ErrBucketAccessClassDoesNotSupportProvisioner"),
    /** Its BucketAccessClass, or the request, is for another protocol than the Bucket's. */
    CLASS_DOES_NOT_SUPPORT_PROTOCOL("ErrBucketAccessClassDoesNotSupportProtocol"),
    /** The Bucket is being deleted. */
    BUCKET_DELETION_IN_PROGRESS("ErrBucketDeletionInProgress"),
    /** The Bucket was deleted. */
    BUCKET_DELETED("ErrBucketDeleted"),
    /** An administrator deleted the BucketAccess: access is revoked. */
    ACCESS_LOST("ErrBucketAccessLost"),
    /** The provisioner refuses to grant access; retries do not help. */
    ACCESS_FAILED("ErrAccessFailed"),
    /** A Secret of the requested name exists and is not owned by this request. */
    SECRET_IN_USE("ErrSecretInUse"),
    /** The API server refuses the Secret: a quota, an admission policy or the namespace forbids it. */
    SECRET_REJECTED("ErrSecretRejected"),
    /** The API server refuses the BucketAccess. */
    CREATE_REJECTED("ErrCreateRejected"),
    /** Somebody else created a BucketAccess of the chosen name at the same moment: a new request gets another name. */
    NAME_TAKEN("ErrBucketAccessNameTaken"),
    /** The request contradicts itself. */
    INVALID_REQUEST("ErrInvalidRequest");

    private final String text;

    BucketAccessRequestPhase(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
