package io.bucketwright.store.s3.minio;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.Identity;
import java.security.SecureRandom;
import java.util.Set;

/** Opens the {@link Identity} of a MinIO server. */
public final class MinioIdentity {

    /** MinIO responds 501 to CORS rules of a bucket, and has only private ACLs. */
    private static final Set<Capability> UNSUPPORTED =
            Set.of(Capability.CORS, Capability.CANNED_ACL, Capability.BUCKET_OWNER);

    private MinioIdentity() {}

    /** Whether the endpoint serves the admin API of MinIO. */
    public static boolean isServed(StoreCall call, AwsClients clients) {
        try (MinioAdmin admin = new MinioAdmin(clients.admin(), new SecureRandom())) {
            // To other stores the request is one for an object, which anybody may have written.
            return admin.user(call, "bucketwright-detection").isEmpty();
        } catch (Unsupported other) {
            return false;
        }
    }

    public static Identity open(AwsClients clients) {
        SecureRandom random = new SecureRandom();
        MinioAdmin admin = new MinioAdmin(clients.admin(), random);
        return new Identity(
                new MinioPrincipals(admin, random),
                new AdministratorClient(clients.s3(), admin::measuredUsage),
                new MinioQuotas(admin),
                UNSUPPORTED);
    }
}
