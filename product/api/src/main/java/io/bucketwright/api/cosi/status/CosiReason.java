package io.bucketwright.api.cosi.status;

/** The reasons of the condition Ready of BucketRequests, BucketAccessRequests and BucketAccesses, and of events on COSI objects, beside {@link ProvisionerReason} and the error phases without {@code Err}. */
public final class CosiReason {

    /** The bucket exists and access is granted. */
    public static final String BOUND = "Bound";

    /** The cause of an earlier error is fixed, and work continues. */
    public static final String IN_PROGRESS = "InProgress";

    /** The bucket exists. Create a BucketAccessRequest to get credentials. */
    public static final String WAITING_FOR_ACCESS_REQUEST = "WaitingForAccessRequest";

    /** The access waits until the bucket exists. */
    public static final String WAITING_FOR_BUCKET = "WaitingForBucket";

    /**
     * No sidecar has reported anything for 30 seconds. Check the provisioner of the class, and that its sidecar runs.
     */
    public static final String WAITING_FOR_PROVISIONER = "WaitingForProvisioner";

    /** The driver did not create the bucket. The message has its error. */
    public static final String FAILED_CREATE_BUCKET = "FailedCreateBucket";

    /** The driver did not delete the bucket. The message has its error. */
    public static final String FAILED_DELETE_BUCKET = "FailedDeleteBucket";

    /** The driver did not grant access. The message has its error. */
    public static final String FAILED_GRANT_ACCESS = "FailedGrantAccess";

    /** The driver did not revoke access. The message has its error. */
    public static final String FAILED_REVOKE_ACCESS = "FailedRevokeAccess";

    /** Access is being revoked. */
    public static final String REVOKING = "Revoking";

    /** The bucket is being deleted with its content. */
    public static final String DELETING_BUCKET = "DeletingBucket";

    /** The deletion of the BucketRequest waits for the BucketAccessRequests in the message. */
    public static final String IN_USE = "InUse";

    /** The Bucket is being deleted. Access works until the last BucketAccessRequest is deleted. */
    public static final String BUCKET_DELETION_IN_PROGRESS = "BucketDeletionInProgress";

    /** The Bucket of the access was deleted. */
    public static final String BUCKET_DELETED = "BucketDeleted";

    /** The annotation bucketwright.io/rotate-at is not a time. Access works. */
    public static final String INVALID_ROTATE_AT = "InvalidRotateAt";

    /**
     * The BucketRequest for which a Bucket was created no longer exists, and no request uses it. Delete the Bucket if
     * nobody needs it. Only an event on the Bucket.
     */
    public static final String ORPHANED_BUCKET = "OrphanedBucket";

    /** The credentials were rotated as requested. Only an event on the BucketAccess. */
    public static final String ACCESS_ROTATED = "AccessRotated";

    /** The Bucket was deleted and the bucket stays in the store. Only an event on the Bucket. */
    public static final String BUCKET_RETAINED = "BucketRetained";

    /**
     * The driver did not end anonymous access to a bucket that is kept, or did not open it again for its next request. Only an
     * event on the Bucket.
     */
    public static final String FAILED_CHANGE_ACCESS = "FailedChangeAccess";

    /** The bucket of another cluster now belongs to this one. Only an event on the Bucket. */
    public static final String BUCKET_TRANSFERRED = "BucketTransferred";

    private CosiReason() {}
}
