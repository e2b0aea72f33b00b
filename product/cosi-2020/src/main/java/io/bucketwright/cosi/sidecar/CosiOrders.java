package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.SecretValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The orders for Buckets and BucketAccesses of {@code cosi.io}. Their protocol must be known: the preconditions of a call
 * check it. Parameters of a class that begin with {@code cosi.io/} are reserved and not sent.
 */
public final class CosiOrders {

    private CosiOrders() {}

    public static DriverOrder.Create create(Bucket bucket, boolean transferCheck, Map<String, SecretValue> secrets) {
        return new DriverOrder.Create(
                toBeTransferred(bucket), protocol(bucket), bucket.getSpec().anonymousAccess(), transferCheck, secrets);
    }

    /** Ends anonymous access to a bucket that nobody uses any more, and everything else that opens it to others. */
    public static DriverOrder.Create close(Bucket bucket, Map<String, SecretValue> secrets) {
        BackendBucket backend = toBeTransferred(bucket);
        Map<String, String> parameters = new HashMap<>(backend.parameters());
        parameters.put(ParameterKeys.CLOSE, "true");
        return new DriverOrder.Create(
                new BackendBucket(
                        backend.name(), backend.id(), parameters, backend.ownerUid(), backend.formerCluster()),
                protocol(bucket),
                AnonymousAccessMode.PRIVATE,
                false,
                secrets);
    }

    public static DriverOrder.Delete delete(Bucket bucket, Map<String, SecretValue> secrets) {
        return new DriverOrder.Delete(toBeTransferred(bucket), protocol(bucket), secrets);
    }

    /**
     * The order to grant access.
     *
     * @param account one of the two of the access
     * @param rotateAt when new credentials were requested, empty if never
     */
    public static DriverOrder.Grant grant(
            BucketAccess access,
            BackendBucket bucket,
            String account,
            String rotateAt,
            Map<String, SecretValue> secrets) {
        return new DriverOrder.Grant(bucket, protocol(access), account(access, account, account), rotateAt, secrets);
    }

    /**
     * The order to revoke access.
     *
     * @param account one of the two of the access
     * @param accountId that the driver issued for it
     */
    public static DriverOrder.Revoke revoke(
            BucketAccess access,
            BackendBucket bucket,
            String account,
            String accountId,
            Map<String, SecretValue> secrets) {
        return new DriverOrder.Revoke(bucket, protocol(access), account(access, account, accountId), secrets);
    }

    /** The order to revoke an account whose BucketAccess no longer exists: what its class said is not known. */
    static DriverOrder.Revoke revokeLost(
            Bucket bucket, String account, String accountId, Map<String, SecretValue> secrets) {
        return new DriverOrder.Revoke(
                bucket(bucket),
                protocol(bucket),
                new BackendAccount(account, accountId, Map.of(), PolicyActions.NONE, "", AccountAuthentication.KEY),
                secrets);
    }

    /** The bucket for orders about accesses. */
    public static BackendBucket bucket(Bucket bucket) {
        String requested = Metadata.annotation(bucket, CosiNames.TRANSFER_FROM);
        return new BackendBucket(
                bucket.getSpec().protocol().bucketName(),
                bucket.bucketId(),
                withoutReserved(bucket.getSpec().parameters()),
                ownerUid(bucket),
                requested.isEmpty() ? Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM) : requested);
    }

    /**
     * The former cluster is sent only while an administrator requests the transfer: the driver takes the bucket from that
     * cluster. Later the bucket may have been transferred back, and then a deletion here must not delete it.
     */
    private static BackendBucket toBeTransferred(Bucket bucket) {
        return bucket(bucket).withFormerCluster(Metadata.annotation(bucket, CosiNames.TRANSFER_FROM));
    }

    /** A Bucket that a backup restored has another uid; the uid of its creator is in its spec and stays. */
    private static String ownerUid(Bucket bucket) {
        return bucket.getSpec()
                .creator()
                .map(BucketRequestRef::uid)
                .orElse(bucket.getMetadata().getUid());
    }

    private static BackendAccount account(BucketAccess access, String account, String accountId) {
        BucketAccessSpec spec = access.getSpec();
        return new BackendAccount(
                account,
                accountId,
                withoutReserved(spec.parameters()),
                spec.policyActions(),
                spec.serviceAccountName().isEmpty()
                        ? ""
                        : spec.bucketAccessRequestNamespace() + "/" + spec.serviceAccountName(),
                AccountAuthentication.KEY);
    }

    private static Map<String, String> withoutReserved(Map<String, String> classParameters) {
        Map<String, String> rest = new HashMap<>(classParameters);
        rest.keySet().removeIf(key -> key.startsWith(ParameterKeys.RESERVED));
        return rest;
    }

    private static Optional<Protocol> protocol(Bucket bucket) {
        return known(bucket.getSpec().protocol().protocolSignature());
    }

    private static Optional<Protocol> protocol(BucketAccess access) {
        return known(access.getSpec().protocol());
    }

    private static Optional<Protocol> known(String text) {
        Optional<Protocol> protocol = Protocol.of(text);
        if (protocol.isEmpty()) {
            throw new IllegalArgumentException("There are no orders without a known protocol.");
        }
        return protocol;
    }
}
