package io.bucketwright.api.cosi;

import java.util.Arrays;
import java.util.Optional;

/** How far a BucketAccessRequest has come. Each error ends by itself when its reason does. */
public enum BucketAccessRequestPhase {
    /** Access is being prepared. */
    PENDING("Pending"),
    /** Access is granted and its Secret is there. */
    BOUND("Bound"),
    /** Deleted by its user; access still has to be revoked. */
    DELETING("Deleting"),
    /** No BucketRequest of its namespace leads to the bucket. */
    BUCKET_REQUEST_NOT_FOUND("ErrBucketRequestNotFound"),
    /** The Bucket is not open to its namespace. */
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
    BUCKET_LOST("ErrBucketLost"),
    /** An administrator deleted the BucketAccess: access is revoked. */
    ACCESS_LOST("ErrBucketAccessLost"),
    /** The provisioner refuses to grant access until something changes. */
    ACCESS_FAILED("ErrAccessFailed"),
    /** A Secret of the wanted name exists and belongs to somebody else. */
    SECRET_IN_USE("ErrSecretInUse"),
    /** Somebody else took the name of its BucketAccess in the same moment: a new request gets another name. */
    NAME_TAKEN("ErrBucketAccessNameTaken"),
    /** The request contradicts itself. */
    INVALID_REQUEST("ErrInvalidRequest");

    private final String text;

    BucketAccessRequestPhase(String text) {
        this.text = text;
    }

    /** As it stands in the status. */
    public String text() {
        return text;
    }

    /** Empty for a word that is none of ours. */
    public static Optional<BucketAccessRequestPhase> of(String text) {
        return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
