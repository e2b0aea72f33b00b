package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.identity.Identity;
import java.security.SecureRandom;
import java.util.Set;

/** Opens the {@link Identity} of a Ceph object gateway. */
public final class CephIdentity {

    private CephIdentity() {}

    public static Identity open(AwsClients clients) {
        AdminOps admin = new AdminOps(clients.admin());
        BucketAccounts accounts = new BucketAccounts(admin, clients.s3(), new BucketLocks());
        return new Identity(
                new CephPrincipals(admin, accounts, new SecureRandom()), accounts, new CephQuotas(admin), Set.of());
    }
}
