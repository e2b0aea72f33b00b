package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.s3.identity.BucketClients;
import io.bucketwright.store.s3.identity.BucketNames;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The accounts that own buckets. Bucketwright creates one for each bucket, named after it; its keys are never published. A
 * bucket that others created has the account of its owner.
 *
 * @param shared sends the requests of all accounts
 */
record BucketAccounts(AdminOps admin, S3Client shared, BucketLocks locks) implements BucketClients {

    private static final String PREFIX = "bwb-";
    private static final int PAGE = 100;

    /** One is enough; but with one the gateway rejects a second attempt to create the same bucket. */
    private static final int MAX_BUCKETS = 2;

    /**
     * The account that owns a bucket.
     *
     * @param foreign whether others created it, and use its keys
     */
    record Account(String uid, boolean foreign, S3Client s3) {}

    @Override
    public S3Client find(StoreCall call, BucketName bucket) {
        return requireAccount(call, bucket).map(Account::s3).orElse(shared);
    }

    @Override
    public Optional<S3Client> findUsable(StoreCall call, BucketName bucket) {
        Optional<String> owner = admin.bucketOwner(call, bucket);
        return owner.isEmpty()
                ? Optional.of(shared)
                : admin.findUser(call, owner.get())
                        .flatMap(user -> account(bucket, user))
                        .map(Account::s3);
    }

    /**
     * The account that owns the bucket; empty if the bucket does not exist.
     *
     * @throws Unavailable if its owner does not exist or has no key. The administrator's key would show a bucket that belongs
     *     to somebody else, which a deletion leaves alone
     */
    Optional<Account> requireAccount(StoreCall call, BucketName bucket) {
        Optional<String> owner = admin.bucketOwner(call, bucket);
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        String name =
                "The user " + InputText.quote(owner.get()) + ", which owns the bucket " + bucket + " in the store, ";
        Optional<CephUser> user = admin.findUser(call, owner.get());
        if (user.isEmpty()) {
            // Another process may have deleted both meanwhile.
            if (admin.bucketOwner(call, bucket).isEmpty()) {
                return Optional.empty();
            }
            throw new Unavailable(
                    name + "does not exist. Create the user again with an access key, or give the bucket to a"
                            + " user that has one with radosgw-admin bucket chown.");
        }
        return Optional.of(account(bucket, user.get())
                .orElseThrow(() -> new Unavailable(name + "has no access key. Create an access key for it.")));
    }

    /** The account that owns the bucket; empty if the bucket does not exist or its owner has no keys. */
    Optional<Account> findAccount(StoreCall call, BucketName bucket) {
        return admin.bucketOwner(call, bucket)
                .flatMap(owner -> admin.findUser(call, owner))
                .flatMap(user -> account(bucket, user));
    }

    private Optional<Account> account(BucketName bucket, CephUser user) {
        return user.keys().stream()
                .findFirst()
                .map(key -> new Account(user.uid(), !user.uid().equals(PREFIX + bucket), client(key)));
    }

    @Override
    public S3Client create(StoreCall call, ProvisionRequest request) {
        Optional<OwningUser> named = request.options().find(OwningUser.class);
        Optional<S3Client> ofUser = named.map(user -> client(keyOf(call, user)));
        // Also for a bucket of another user: it reserves the name, so that of two claims one creates the bucket.
        S3Client account = createAccount(call, request.bucket(), request.owner());
        return ofUser.orElse(account);
    }

    @Override
    public void requireOwner(StoreCall call, BucketName bucket, OwningUser user) {
        admin.bucketOwner(call, bucket)
                .filter(owner -> !owner.equals(user.name()))
                .ifPresent(_ -> {
                    throw new Invalid(
                            "bucketOwner " + InputText.quote(user.name()) + " does not own the bucket " + bucket
                                    + ", and the owner of a bucket cannot be changed: its objects would stay with the former one."
                                    + " Set the option back, or create a claim with a new bucket.");
                });
    }

    /**
     * The key of a user that shall own a bucket.
     *
     * @throws Invalid if it is an administrator or belongs to Bucketwright: nobody may get buckets of theirs
     */
    private Credentials.AccessKey keyOf(StoreCall call, OwningUser named) {
        String name = "The user " + InputText.quote(named.name()) + ", which bucketOwner names, ";
        CephUser user = admin.findUser(call, named.name())
                .orElseThrow(() -> new Unavailable(name + "does not exist in the store. Create it there."));
        if (user.privileged() || OwnerName.isOne(user.displayName())) {
            throw new Invalid(
                    name + "has capabilities of an administrator, or belongs to Bucketwright. Name another user.");
        }
        if (user.suspended() || user.keys().isEmpty()) {
            throw new Unavailable(name + "is suspended or has no access key. Enable it, or create a key.");
        }
        return user.keys().getFirst();
    }

    private S3Client createAccount(StoreCall call, BucketName bucket, BucketOwner owner) {
        String uid = PREFIX + bucket;
        String name = OwnerName.of(owner);
        CephUser user = locks.locked(call, bucket, () -> createOrFind(call, uid, name));
        if (!user.displayName().equals(name)) {
            // Another claim creates a bucket of that name now, or could not finish it.
            throw new Unavailable("The user " + uid + ", which is to own the bucket, exists for another claim. If no"
                    + " other claim creates the bucket " + bucket + ", delete the user in the store.");
        }
        return user.keys().stream()
                .findFirst()
                .map(this::client)
                .orElseThrow(() -> new Unavailable("The user " + uid + " has no access key. Create one for it."));
    }

    @Override
    public boolean lists() {
        return true;
    }

    /** The gateway lists everything at once: a part begins after the last name of the one before. */
    @Override
    public BucketNames list(StoreCall call, String from) {
        List<String> left = admin.bucketNames(call).stream()
                .filter(name -> name.compareTo(from) > 0)
                .toList();
        List<String> page = left.subList(0, Math.min(PAGE, left.size()));
        return new BucketNames(
                page.stream()
                        .map(name -> new BucketNames.Named(name, Optional.empty()))
                        .toList(),
                page.size() < left.size() ? Optional.of(page.getLast()) : Optional.empty());
    }

    private CephUser createOrFind(StoreCall call, String uid, String name) {
        try {
            return admin.createUser(call, uid, name, MAX_BUCKETS, true);
        } catch (Taken exists) {
            return admin.findUser(call, uid)
                    .orElseThrow(() -> new Unavailable("The user " + uid + " was deleted right after its creation."));
        }
    }

    @Override
    public boolean isCreatedFor(StoreCall call, BucketName bucket, BucketOwner owner) {
        return admin.bucketOwner(call, bucket)
                .filter((PREFIX + bucket)::equals)
                .flatMap(uid -> admin.findUser(call, uid))
                .filter(user -> user.displayName().equals(OwnerName.of(owner)))
                .isPresent();
    }

    @Override
    public Optional<Usage> usage(StoreCall call, BucketName bucket) {
        return Optional.of(admin.usage(call, bucket));
    }

    @Override
    public void deleted(StoreCall call, BucketName bucket, BucketOwner owner) {
        try {
            admin.deleteUser(call, PREFIX + bucket);
        } catch (Taken ownsANewBucket) {
            // Another claim created a bucket of that name.
        }
    }

    @Override
    public PolicyDocuments policies(S3Client s3) {
        return new SharedPolicies(s3, locks);
    }

    @Override
    public void close() {
        shared.close();
        admin.close();
    }

    private S3Client client(Credentials.AccessKey key) {
        return new AccountClient(shared, key);
    }
}
