package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.store.connection.SecretValue;
import java.util.Map;
import java.util.Optional;

/** What a driver is asked to do. */
public sealed interface DriverOrder {

    BackendBucket bucket();

    /** Of the bucket; empty if the driver decides it. */
    Optional<Protocol> protocol();

    /** The content of the provisioner secret; empty if the driver has its own credentials. */
    Map<String, SecretValue> secrets();

    /**
     * Creates a bucket; succeeds again if it exists.
     *
     * @param transferCheck if true, only checks that the bucket belongs to this cluster, and fails with the reason
     *     AlreadyExists if it does not; if false, also transfers it from the former cluster, if the bucket names one
     */
    record Create(
            BackendBucket bucket,
            Optional<Protocol> protocol,
            AnonymousAccessMode anonymousAccess,
            boolean transferCheck,
            Map<String, SecretValue> secrets)
            implements DriverOrder {}

    /** Deletes a bucket. */
    record Delete(BackendBucket bucket, Optional<Protocol> protocol, Map<String, SecretValue> secrets)
            implements DriverOrder {}

    /**
     * Grants access to a bucket and issues credentials.
     *
     * @param rotateAt when new credentials were requested, empty if never
     */
    record Grant(
            BackendBucket bucket,
            Optional<Protocol> protocol,
            BackendAccount account,
            String rotateAt,
            Map<String, SecretValue> secrets)
            implements DriverOrder {}

    /** Ends the access of an account. */
    record Revoke(
            BackendBucket bucket, Optional<Protocol> protocol, BackendAccount account, Map<String, SecretValue> secrets)
            implements DriverOrder {}
}
