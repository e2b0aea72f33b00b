package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A step of the BucketAccess controller: one call to the driver, or one request to the API server. */
sealed interface SidecarAccessStep extends Step.Call {

    /**
     * What to grant or to revoke.
     *
     * @param account that gets the credentials
     * @param accountId that the driver issued for it; the name if none is known
     * @param rotateAt when new credentials were requested, empty if never
     * @param overlap how long after the write of the Secret the other account is revoked, empty if it has no credentials
     */
    record Grant(String account, String accountId, String rotateAt, Optional<Duration> overlap) {

        /** A new account, whose id the driver decides. */
        Grant(String account, String rotateAt, Optional<Duration> overlap) {
            this(account, account, rotateAt, overlap);
        }
    }

    /**
     * Calls the driver: GrantBucketAccess or RevokeBucketAccess.
     *
     * @param grant for RevokeBucketAccess, only the account and its id
     */
    record CallDriver(
            DriverMethod method,
            BucketAccess access,
            BackendBucket bucket,
            Grant grant,
            Map<String, SecretValue> secrets,
            String inputs)
            implements SidecarAccessStep {}

    /** Reads the Secret: it may have lost the label that the cache selects by. */
    record ReadSecret(BucketAccess access) implements SidecarAccessStep {}

    /**
     * Writes the credentials to the Secret.
     *
     * @param known the Secret as it is; empty if there is none yet
     */
    record WriteSecret(BucketAccess access, Optional<Secret> known, IssuedCredentials credentials, String inputs)
            implements SidecarAccessStep {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "WriteSecret of " + access.getMetadata().getName();
        }
    }

    /** Remembers the credentials in a Secret that is being deleted, to write them to the next one. */
    record KeepCredentials(BucketAccess access, Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "KeepCredentials of " + access.getMetadata().getName();
        }
    }

    /** Records in the Secret that the account before the last rotation is revoked. */
    record EndOverlap(BucketAccess access, Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "EndOverlap of " + access.getMetadata().getName();
        }
    }

    /**
     * Gives up an account, because it or its bucket cannot be named any more, and sends a warning.
     *
     * @param cause a sentence
     */
    record SkipRevoke(BucketAccess access, String account, String cause) implements SidecarAccessStep {}

    record DeleteSecret(Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "DeleteSecret " + secret.getMetadata().getName();
        }
    }

    record RemoveSecretFinalizer(BucketAccess access, Secret secret) implements SidecarAccessStep {
        @Override
        public String toString() {
            return "RemoveSecretFinalizer " + secret.getMetadata().getName();
        }
    }
}
