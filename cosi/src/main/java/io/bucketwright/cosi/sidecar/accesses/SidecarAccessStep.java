package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.Trouble;


import io.bucketwright.cosi.sidecar.driver.BackendBucket;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;

/** What can be done about a BucketAccess: one call to the driver, or one request to the API server. */
public sealed interface SidecarAccessStep {

    /** Put our finalizer on it, before an account exists that a deletion could leave behind. */
    record Hold(BucketAccess access) implements SidecarAccessStep {}

    /** Have the driver give access. */
    record Grant(
            ObjectKey key,
            BucketAccess access,
            BackendBucket bucket,
            String rotateAt,
            Map<String, SecretValue> secrets,
            String inputs)
            implements SidecarAccessStep {}

    /** See whether a Secret is there that lost its label. */
    record Look(ObjectKey key, BucketAccess access) implements SidecarAccessStep {}

    /**
     * Write the credentials down.
     *
     * @param known the Secret as it is; empty if there is none yet
     */
    record PutSecret(ObjectKey key, BucketAccess access, Optional<Secret> known, IssuedCredentials credentials, String inputs)
            implements SidecarAccessStep {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "PutSecret of " + key;
        }
    }

    /** Remember what a Secret that somebody deletes holds: the next one gets the same. */
    record Save(ObjectKey key, Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "Save the Secret of " + key;
        }
    }

    /** Have the driver take the access away. */
    record Revoke(
            ObjectKey key, BucketAccess access, BackendBucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements SidecarAccessStep {}

    /** Nothing is known that a driver could be asked with: say so, and let it go. */
    record Abandon(ObjectKey key, BucketAccess access) implements SidecarAccessStep {}

    record DeleteSecret(Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "DeleteSecret " + secret.getMetadata().getName();
        }
    }

    record LetGoOfSecret(ObjectKey key, Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "LetGoOfSecret " + secret.getMetadata().getName();
        }
    }

    /** Take our finalizer off. */
    record LetGo(BucketAccess access) implements SidecarAccessStep {}

    /**
     * Say why it does not go on.
     *
     * @param trouble empty to take back what was said
     */
    record Say(BucketAccess access, Optional<Trouble> trouble) implements SidecarAccessStep {}
}
