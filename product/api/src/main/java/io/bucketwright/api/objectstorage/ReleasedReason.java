package io.bucketwright.api.objectstorage;

/**
 * Reasons of events on objects of {@code objectstorage.k8s.io}. The kinds have no conditions. Reasons that v0.2.2 has, too,
 * are spelled as there.
 */
public final class ReleasedReason {
    /** The bucket exists and is ready to use. An event on the BucketClaim. */
    public static final String BOUND = "Bound";

    /** The BucketClass that the BucketClaim names does not exist. */
    public static final String BUCKET_CLASS_NOT_FOUND = "BucketClassNotFound";

    /** The Bucket cannot be created, or the driver did not create the bucket. The message says why. */
    public static final String FAILED_CREATE_BUCKET = "FailedCreateBucket";

    /** No sidecar has provisioned the Bucket for 30 s. Check the driver and its sidecar. */
    public static final String WAITING_FOR_PROVISIONER = "WaitingForProvisioner";

    /** The Bucket in existingBucketName does not exist. */
    public static final String BUCKET_NOT_FOUND = "BucketNotFound";

    /** The Bucket is reserved for, or bound to, another BucketClaim. */
    public static final String BUCKET_ALREADY_BOUND = "BucketAlreadyBound";

    /** The Bucket in existingBucketName names no BucketClaim: an administrator has to name the claim in spec.bucketClaim. */
    public static final String BUCKET_NOT_RESERVED = "BucketNotReserved";

    /** An administrator is deleting the Bucket. */
    public static final String BUCKET_DELETION_IN_PROGRESS = "BucketDeletionInProgress";

    /** The Bucket was deleted. It is not created again. */
    public static final String BUCKET_DELETED = "BucketDeleted";

    /** The deletion of the BucketClaim waits for the BucketAccesses in the message. */
    public static final String IN_USE = "InUse";

    /** The deletion of the BucketClaim waits until the sidecar has deleted the bucket. */
    public static final String DELETING_BUCKET = "DeletingBucket";

    /** The BucketClaim was deleted; the bucket remains, and the Bucket too unless it was deleted. An event on the Bucket. */
    public static final String BUCKET_RETAINED = "BucketRetained";

    /** The BucketClaim no longer exists, but nobody deleted the Bucket: its finalizer was removed. An event on the Bucket. */
    public static final String CLAIM_LOST = "ClaimLost";

    /**
     * The Bucket, or that of the BucketClaim, was restored from a backup. Nothing is created, granted or destroyed until an
     * administrator confirms with the command in the message that nobody else uses the bucket.
     */
    public static final String BUCKET_RESTORED = "BucketRestored";

    /** The Bucket was that of another BucketClaim, and the access in the message is not revoked yet. */
    public static final String FORMER_ACCESS = "FormerAccess";

    /** The driver has not answered a call for 30 s. The message says since when. */
    public static final String DRIVER_CALL_IN_PROGRESS = "DriverCallInProgress";

    /** The driver did not delete the bucket. The message has its error. */
    public static final String FAILED_DELETE_BUCKET = "FailedDeleteBucket";

    /** The Secret contains the credentials. An event on the BucketAccess. */
    public static final String ACCESS_GRANTED = "AccessGranted";

    /** The BucketAccess has waited 30 s for what the message says: its class, its claim or the Bucket. */
    public static final String WAITING_FOR_BUCKET = "WaitingForBucket";

    /** Access is not granted. The message says why. */
    public static final String FAILED_GRANT_ACCESS = "FailedGrantAccess";

    /** The ledger of grants on the Bucket cannot be read: nothing is granted, revoked or deleted because of it. */
    public static final String UNREADABLE_LEDGER = "UnreadableLedger";

    /** Access is not revoked, or nobody knows whether it is. The message says why. */
    public static final String FAILED_REVOKE_ACCESS = "FailedRevokeAccess";

    /** The Secret contains new credentials, as requested. The message says until when the previous ones are valid. */
    public static final String ACCESS_ROTATED = "AccessRotated";

    /** The credentials are not rotated, or not yet. Those in the Secret stay valid. The message says why. */
    public static final String FAILED_ROTATE_ACCESS = "FailedRotateAccess";

    /** The driver cannot rotate credentials, or there are none. The message says what happened, and what is valid. */
    public static final String ROTATION_NOT_SUPPORTED = "RotationNotSupported";

    private ReleasedReason() {}
}
