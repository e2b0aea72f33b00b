package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.fabric8.kubernetes.api.model.Secret;

/** A step of the controller for BucketAccesses: one call to the driver, one request, or one event. */
sealed interface ReleasedAccessStep {

    /** Adds the finalizer, before an account exists that a deletion could leave in the store. */
    record AddFinalizer(ReleasedBucketAccess access) implements ReleasedAccessStep {}

    /** Adds the finalizer for accesses to a Bucket that another sidecar provisioned. */
    record ProtectBucket(ReleasedBucket bucket) implements ReleasedAccessStep {}

    record Grant(
            ReleasedBucketAccess access, ReleasedBucketAccessClass accessClass, ReleasedBucket bucket, String inputs)
            implements ReleasedAccessStep {}

    /**
     * Revokes an account.
     *
     * @param accessClass one without parameters if it no longer exists
     * @param former whether an earlier process may have left the account, and the access stays
     */
    record Revoke(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            String bucketId,
            String accountId,
            boolean former,
            String inputs)
            implements ReleasedAccessStep {}

    /**
     * Writes the status.
     *
     * @param granted whether the Secret contains the credentials and the account is not being revoked
     * @param event whether users have waited for this
     */
    record WriteStatus(ReleasedBucketAccess access, String accountId, boolean granted, boolean event)
            implements ReleasedAccessStep {}

    record ReadSecret(ReleasedBucketAccess access) implements ReleasedAccessStep {}

    record WriteSecret(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket,
            GrantedAccess granted,
            String inputs)
            implements ReleasedAccessStep {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "WriteSecret of " + access.getMetadata().getName();
        }
    }

    /** Removes the finalizer of the Secret, or deletes it if it has none. */
    record RemoveSecret(ReleasedBucketAccess access, Secret secret) implements ReleasedAccessStep {
        @Override
        public String toString() {
            return "RemoveSecret of " + access.getMetadata().getName();
        }
    }

    /**
     * Gives an account up and sends a warning.
     *
     * @param cause a sentence
     */
    record SkipRevoke(ReleasedBucketAccess access, String accountId, boolean former, String cause)
            implements ReleasedAccessStep {}

    record RemoveFinalizer(ReleasedBucketAccess access) implements ReleasedAccessStep {}

    /**
     * Sends an event.
     *
     * @param event its reason
     * @param action the reason of the problem
     */
    record Report(ReleasedBucketAccess access, String event, String action, String message)
            implements ReleasedAccessStep {
        /** The event as one text, to compare. */
        String text() {
            return event + " " + action + " " + message;
        }
    }
}
