package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import java.util.Map;
import java.util.Optional;

/**
 * The orders for released kinds. The protocol is left to the driver: nobody checks what claims request. All parameters are
 * sent as they are.
 */
final class ReleasedOrders {

    private ReleasedOrders() {}

    /** The name is that of the Bucket: drivers look the object up by it. */
    static DriverOrder.Create create(ReleasedBucket bucket) {
        return new DriverOrder.Create(
                bucket(bucket, name(bucket)), Optional.empty(), AnonymousAccessMode.PRIVATE, false, Map.of());
    }

    static DriverOrder.Delete delete(ReleasedBucket bucket, String id) {
        return new DriverOrder.Delete(bucket(bucket, id), Optional.empty(), Map.of());
    }

    /** Without the parameters of the bucket: an endpoint among them may not be the one of applications. */
    static DriverOrder.Grant grant(String account, ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) {
        return new DriverOrder.Grant(
                new BackendBucket(name(bucket), bucket.status().bucketID(), Map.of(), "", ""),
                Optional.empty(),
                account(account, account, accessClass),
                "",
                Map.of());
    }

    /**
     * The order to revoke access.
     *
     * @param accessClass whose parameters are the context; one without parameters if it no longer exists
     */
    static DriverOrder.Revoke revoke(ReleasedBucketAccessClass accessClass, String bucketId, String id) {
        return new DriverOrder.Revoke(
                new BackendBucket(bucketId, bucketId, Map.of(), "", ""),
                Optional.empty(),
                account(id, id, accessClass),
                Map.of());
    }

    /** The name by which the driver is asked to grant the access. */
    static String accountName(ReleasedBucketAccess access, AccountRecord accounts) {
        return ReleasedNames.accountOf(access.getMetadata().getUid(), accounts.number());
    }

    private static BackendBucket bucket(ReleasedBucket bucket, String id) {
        return new BackendBucket(name(bucket), id, bucket.spec().parameters(), "", "");
    }

    private static BackendAccount account(String name, String id, ReleasedBucketAccessClass accessClass) {
        return new BackendAccount(
                name,
                id,
                accessClass.getParameters(),
                PolicyActions.NONE,
                "",
                authentication(accessClass.getAuthenticationType()));
    }

    /** The reference compares the exact text and sends the call in any case. */
    private static AccountAuthentication authentication(String text) {
        return switch (text) {
            case "Key" -> AccountAuthentication.KEY;
            case "IAM" -> AccountAuthentication.IAM;
            default -> AccountAuthentication.UNKNOWN;
        };
    }

    private static String name(ReleasedBucket bucket) {
        return bucket.getMetadata().getName();
    }
}
