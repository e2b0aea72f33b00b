package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.identity.Identity;
import java.security.SecureRandom;
import java.util.Set;

/** Opens the {@link Identity} of a Ceph object gateway. */
public final class CephIdentity {

    private CephIdentity() {}

    /**
     * Whether the endpoint serves the admin ops API. Only its own error counts: to other stores the request is one for an
     * object {@code user} in a bucket {@code admin}, which anybody may have written.
     */
    public static boolean isServed(StoreCall call, AwsClients clients) {
        try (AdminOps admin = new AdminOps(clients.admin())) {
            return admin.isServed(call, "bucketwright-detection");
        }
    }

    public static Identity open(AwsClients clients) {
        AdminOps admin = new AdminOps(clients.admin());
        BucketAccounts accounts = new BucketAccounts(admin, clients.s3(), new BucketLocks());
        return new Identity(
                new CephPrincipals(admin, accounts, new SecureRandom()), accounts, new CephQuotas(admin), Set.of());
    }
}
