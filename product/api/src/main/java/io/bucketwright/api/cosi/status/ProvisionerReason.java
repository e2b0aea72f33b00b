package io.bucketwright.api.cosi.status;

import io.bucketwright.api.text.TextEnum;

/**
 * A reason that the sidecar reports: in the Ready condition of a Bucket, and in a {@code ProvisionerReport} on a BucketAccess.
 * The controller reads both, so both sides share this list.
 */
public enum ProvisionerReason implements TextEnum {
    /** The Bucket exists in the store and is bound. */
    BOUND("Bound", true),
    /** The Bucket exists in the store and is bound to no access any more. */
    RELEASED("Released", true),
    /** The Bucket exists in the store. */
    CREATED("Created", true),
    /** Deletion waits until the last access is revoked. */
    IN_USE("InUse", true),
    /** The bucket is being deleted in the store. */
    DELETING("Deleting", true),
    /** The bucket is deleted in the store. */
    DELETED("Deleted", true),
    /** The Bucket object is deleted, the bucket stays in the store. */
    RETAINED("Retained", true),

    /** The sidecar is not connected to the driver. */
    DRIVER_NOT_CONNECTED("DriverNotConnected", false),
    /** The driver answers UNAVAILABLE, or is overloaded. */
    DRIVER_UNAVAILABLE("DriverUnavailable", false),
    /** The driver did not answer before the deadline. */
    DRIVER_TIMEOUT("DriverTimeout", false),
    /** The driver at the socket has another name, or an unknown protocol. */
    DRIVER_INCOMPATIBLE("DriverIncompatible", false),
    /** The driver's response lacks something, or contradicts the request. */
    INVALID_DRIVER_RESPONSE("InvalidDriverResponse", false),
    /** The driver does not implement the call. */
    UNIMPLEMENTED("Unimplemented", false),
    /** The driver rejects the request, and will reject the same request again. */
    INVALID_ARGUMENT("InvalidArgument", false),
    /** The driver or the Bucket has another protocol. */
    INVALID_PROTOCOL("InvalidProtocol", false),
    /** The driver does not accept the user or the service account of the request. */
    INVALID_PRINCIPAL("InvalidPrincipal", false),
    /** The store rejects the credentials of the driver. */
    INVALID_CREDENTIALS("InvalidCredentials", false),
    /** The store has a bucket of that name that belongs to another owner, or that a failed call left behind. */
    ALREADY_EXISTS("AlreadyExists", false),
    /** The bucket does not exist in the store, or the Bucket object of an access is missing. */
    BUCKET_DOES_NOT_EXIST("BucketDoesNotExist", false),
    /** The store is not in the state that the call needs, such as an empty bucket for its deletion. */
    FAILED_PRECONDITION("FailedPrecondition", false),
    /** The driver reports an internal error. */
    INTERNAL_ERROR("InternalError", false),

    /** The Secret that the class names for the driver is missing or malformed. */
    INVALID_PROVISIONER_SECRET("InvalidProvisionerSecret", false),
    /** The Bucket has no bucket name for its protocol. */
    MISSING_BUCKET_NAME("MissingBucketName", false),
    /** The annotation {@code bucketwright.io/rotate-at} is not a time. */
    INVALID_ROTATE_AT("InvalidRotateAt", false),
    /** A Secret of the required name exists and is not owned by the BucketAccess. */
    SECRET_IN_USE("SecretInUse", false),
    /** The API server refused the Secret. */
    SECRET_WRITE_FAILED("SecretWriteFailed", false),

    /** Reported by a sidecar of another version or by another program. */
    UNKNOWN("Unknown", false);

    private final String text;
    private final boolean informational;

    ProvisionerReason(String text, boolean informational) {
        this.text = text;
        this.informational = informational;
    }

    /** Whether it reports progress and nobody has to act. */
    public boolean isInformational() {
        return informational;
    }

    /** Reads a reason; any other text is {@link #UNKNOWN}. */
    public static ProvisionerReason of(String text) {
        return TextEnum.find(values(), text).orElse(UNKNOWN);
    }

    @Override
    public String toString() {
        return text;
    }
}
