package io.bucketwright.store.s3.shared;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import java.util.Set;

/** Opens the {@link Identity} of a class whose claims share keys. */
public final class SharedIdentity {

    private static final Set<Capability> UNSUPPORTED = Set.of(
            Capability.ROTATE,
            Capability.SUSPEND,
            Capability.ACCESS,
            Capability.PREFIX,
            Capability.WRITE_ONLY,
            Capability.QUOTA,
            Capability.BUCKET_OWNER);

    private SharedIdentity() {}

    /** Identifies the shared keys. */
    public static String issuer(AdministratorSecret secret) {
        return SharedKeys.digest(secret);
    }

    /**
     * Reads the shared keys.
     *
     * @throws Denied if the key is missing
     */
    public static Identity open(AwsClients clients, AdministratorSecret secret) {
        return new Identity(
                SharedKeys.of(secret, clients::administratorKeyId),
                new AdministratorClient(clients.s3()),
                BucketQuotas.unsupported(),
                UNSUPPORTED);
    }
}
