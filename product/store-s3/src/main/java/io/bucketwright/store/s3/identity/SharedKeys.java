package io.bucketwright.store.s3.identity;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One key for all claims, and optionally a second one that can only read. They are in the administrator's Secret, beside the
 * administrator's own key, which is never issued. Nothing is created in the store, and nothing can be revoked there.
 *
 * @param readOnly the key for {@link AccessMode#READ_ONLY}; empty if there is none
 * @param administratorKeyId the id of the key that must not be issued
 */
public record SharedKeys(AccessKey readWrite, Optional<AccessKey> readOnly, Supplier<String> administratorKeyId)
        implements Principals {

    private static final String ID = "SHARED_ACCESS_KEY_ID";
    private static final String SECRET = "SHARED_SECRET_ACCESS_KEY";
    private static final String READ_ONLY_ID = "SHARED_READ_ONLY_ACCESS_KEY_ID";
    private static final String READ_ONLY_SECRET = "SHARED_READ_ONLY_SECRET_ACCESS_KEY";

    private static final Set<Capability> UNSUPPORTED = Set.of(
            Capability.ROTATE,
            Capability.SUSPEND,
            Capability.ACCESS,
            Capability.ACTIONS,
            Capability.PREFIX,
            Capability.WRITE_ONLY,
            Capability.QUOTA,
            Capability.BUCKET_OWNER);

    /**
     * Opens the {@link Identity} of a class whose claims share keys.
     *
     * @throws Denied if the key is missing
     */
    public static Identity open(AwsClients clients, AdministratorSecret secret) {
        SharedKeys keys = new SharedKeys(
                new AccessKey(secret.require(ID).reveal(), secret.require(SECRET)),
                secret.find(READ_ONLY_ID).map(id -> new AccessKey(id.reveal(), secret.require(READ_ONLY_SECRET))),
                clients::administratorKeyId);
        return new Identity(keys, new AdministratorClient(clients.s3()), BucketQuotas.unsupported(), UNSUPPORTED);
    }

    /** Identifies the shared keys. */
    public static String issuer(AdministratorSecret secret) {
        return secret.digest(ID, SECRET, READ_ONLY_ID, READ_ONLY_SECRET);
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        requireOther(call, readWrite);
        readOnly.ifPresent(key -> requireOther(call, key));
    }

    @Override
    public void checkAccess(StoreCall call, BucketName bucket, Access access) {
        if (access.mode() != AccessMode.NONE) {
            requireOther(call, key(access));
        }
    }

    @Override
    public AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        AccessKey key = key(access);
        requireOther(call, key);
        return key;
    }

    private void requireOther(StoreCall call, AccessKey key) {
        String own = StoreRequest.send(call, "read the administrator's credentials", administratorKeyId);
        if (key.id().equals(own)) {
            throw new Denied("A shared key in the administrator's Secret is the administrator's own key, which"
                    + " applications must not get. Create another user in the store, and use its key.");
        }
    }

    private AccessKey key(Access access) {
        if (!access.prefix().isEmpty()
                || !access.allow().isEmpty()
                || !access.deny().isEmpty()) {
            throw new Unsupported(
                    "A shared key of identity static cannot be restricted to a prefix or to policy actions: all"
                            + " claims of the class use it.");
        }
        return switch (access.mode()) {
            case READ_WRITE -> readWrite;
            case READ_ONLY ->
                readOnly.orElseThrow(() -> new Unsupported("There is no shared key that can only read: the"
                        + " administrator's Secret has no key " + READ_ONLY_ID + "."));
            case WRITE_ONLY, NONE -> throw new Unsupported("There is no shared key that can only write.");
        };
    }

    @Override
    public void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        throw shared("its access cannot be changed");
    }

    @Override
    public void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        throw shared("it cannot be rotated for one of them");
    }

    @Override
    public void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active) {
        throw shared("it cannot be suspended for one of them");
    }

    private static Unsupported shared(String consequence) {
        return new Unsupported("All claims of this class share one key: " + consequence + ".");
    }

    @Override
    public void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        // The key belongs to the other claims too.
    }

    @Override
    public void close() {
        // Holds no connections.
    }
}
