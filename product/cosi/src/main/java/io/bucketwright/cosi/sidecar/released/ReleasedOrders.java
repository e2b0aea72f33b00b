package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.cosi.core.GrantingBucket;
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
    static DriverOrder.Grant grant(
            GrantingBucket bucket,
            String account,
            Map<String, String> parameters,
            AccountAuthentication authentication) {
        return new DriverOrder.Grant(
                new BackendBucket(bucket.name(), bucket.id(), Map.of(), "", ""),
                Optional.empty(),
                new BackendAccount(account, account, parameters, PolicyActions.NONE, "", authentication),
                "",
                Map.of());
    }

    /** The order to revoke access, with the parameters that it was granted with. */
    static DriverOrder.Revoke revoke(GrantingBucket bucket, String id, Map<String, String> parameters) {
        return new DriverOrder.Revoke(
                new BackendBucket(bucket.id(), bucket.id(), Map.of(), "", ""),
                Optional.empty(),
                new BackendAccount(id, id, parameters, PolicyActions.NONE, "", AccountAuthentication.UNKNOWN),
                Map.of());
    }

    private static BackendBucket bucket(ReleasedBucket bucket, String id) {
        return new BackendBucket(name(bucket), id, bucket.spec().parameters(), "", "");
    }

    /** The reference compares the exact text and sends the call in any case. */
    static AccountAuthentication authentication(String text) {
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
