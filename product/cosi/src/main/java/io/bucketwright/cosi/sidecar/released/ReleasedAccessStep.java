package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Set;

/** A step of the controller for BucketAccesses: one call to the driver, or one request. */
sealed interface ReleasedAccessStep extends Step.Call {

    /** Adds the finalizer, before an account exists that a deletion could leave in the store. */
    record AddFinalizer(ReleasedBucketAccess access) implements ReleasedAccessStep {}

    /** Adds the finalizer for accesses to a Bucket that another sidecar provisioned. */
    record ProtectBucket(ReleasedBucket bucket) implements ReleasedAccessStep {}

    /**
     * Asks the driver to grant access.
     *
     * @param account the name of the account
     * @param rotation whether another account has access already
     */
    record Grant(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket,
            String account,
            boolean rotation,
            String inputs)
            implements ReleasedAccessStep {}

    /** Why an account is revoked. */
    enum RevokedAccount {
        /** The access is deleted, and this is the account in its status. */
        CURRENT,
        /** An earlier call may have left it under the name of the next grant. */
        FORMER,
        /** It is recorded beside the account in the status. */
        OTHER
    }

    /**
     * Revokes an account.
     *
     * @param accessClass one without parameters if it no longer exists
     */
    record Revoke(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            String bucketId,
            String accountId,
            RevokedAccount which,
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

    /**
     * Writes the credentials.
     *
     * @param rotation the requested rotation that they fulfil; empty if there is none
     */
    record WriteSecret(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket,
            GrantedAccess granted,
            String rotation,
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
    record SkipRevoke(ReleasedBucketAccess access, String accountId, RevokedAccount which, String cause)
            implements ReleasedAccessStep {}

    /**
     * Records the name of another account, before the driver is asked to grant it access.
     *
     * @param lost the former name if the driver does not grant access by it again; empty otherwise
     */
    record RecordName(ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord accounts, String lost)
            implements ReleasedAccessStep {}

    /**
     * Records accounts in the Bucket.
     *
     * @param marked those whose revocation this step records
     */
    record RecordAccounts(
            ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord accounts, Set<String> marked)
            implements ReleasedAccessStep {}

    /**
     * Records that a rotation is over.
     *
     * @param event the reason of the event about it
     */
    record EndRotation(
            ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord accounts, String event, String note)
            implements ReleasedAccessStep {}

    record RemoveFinalizer(ReleasedBucketAccess access) implements ReleasedAccessStep {}
}
