package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import io.bucketwright.store.s3.identity.PolicyRequests;
import io.bucketwright.store.s3.identity.Principals;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Principals as users of the gateway, which own nothing and get access by statements in the bucket's policy. */
record CephPrincipals(AdminOps admin, BucketAccounts accounts, SecureRandom random) implements Principals {

    private static final int MAX_KEYS = 2;
    private static final int NO_BUCKETS = -1;
    private static final int KEY_ID_LENGTH = 20;
    private static final String KEY_ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<CephUser> _ = find(call, owner);
    }

    @Override
    public Credentials.AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        ensure(call, bucket, owner, access);
        return addKey(call, owner, publishedKeys);
    }

    private void ensure(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        List<JsonNode> statements = new PrincipalStatements(bucket, owner.principal()).of(access);
        try {
            CephUser _ = admin.createUser(call, uid(owner), OwnerName.of(owner), NO_BUCKETS, false);
        } catch (Taken exists) {
            CephUser _ = require(call, owner);
        }
        setStatements(call, bucket, owner, statements);
    }

    @Override
    public void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        List<JsonNode> statements = new PrincipalStatements(bucket, owner.principal()).of(access);
        CephUser _ = require(call, owner);
        setStatements(call, bucket, owner, statements);
    }

    private void setStatements(StoreCall call, BucketName bucket, BucketOwner owner, List<JsonNode> statements) {
        BucketAccounts.Account account = accounts.requireAccount(call, bucket)
                .orElseThrow(() -> new NotFound("The bucket " + bucket + " does not exist."));
        List<JsonNode> forOwner = account.foreign() ? PrincipalStatements.forOwner(bucket, account.uid()) : List.of();
        new SharedPolicies(account.s3(), accounts.locks())
                .setPrincipal(call, bucket, owner.principal(), statements, forOwner);
    }

    private Credentials.AccessKey addKey(StoreCall call, BucketOwner owner, Set<String> publishedKeys) {
        List<String> kept = deleteOthers(call, require(call, owner), publishedKeys);
        if (kept.size() >= MAX_KEYS) {
            throw new Invalid(
                    "the keys " + kept + " of " + owner.principal() + " are both published; retire one of them first");
        }
        return admin.addKey(call, uid(owner), newKeyId());
    }

    @Override
    public void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        List<String> _ = deleteOthers(call, require(call, owner), keptKeys);
    }

    @Override
    public void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active) {
        Optional<CephUser> user = find(call, owner);
        if (user.isEmpty() && active) {
            throw missing(owner);
        }
        if (user.isPresent() && user.get().suspended() == active) {
            admin.setSuspended(call, uid(owner), !active);
        }
    }

    @Override
    public void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<CephUser> user = admin.findUser(call, uid(owner));
        boolean owned = user.filter(found -> isOwned(found, owner)).isPresent();
        if (user.flatMap(found -> OwnerName.read(found.displayName()))
                .filter(owner::isSameInAnotherCluster)
                .isPresent()) {
            return;
        }
        // Before its statements: without the user there is no access, even if a later request fails.
        if (owned) {
            deleteUser(call, user.get());
        } else if (user.isPresent()) {
            keys.forEach(id -> admin.deleteKey(call, uid(owner), id));
        }
        // Also if the user did not exist: an earlier call may have failed here. Without a key of the bucket's owner the
        // statements stay, and give nobody access.
        accounts.findAccount(call, bucket)
                .ifPresent(account -> new SharedPolicies(account.s3(), accounts.locks())
                        .removePrincipal(call, bucket, owner.principal()));
        if (user.isPresent() && !owned) {
            throw UnprovenPrincipal.notDeleted("user " + owner.principal(), keys);
        }
    }

    /** Only an administrator can give a principal a bucket, and only an administrator knows what is to become of it. */
    private void deleteUser(StoreCall call, CephUser user) {
        try {
            admin.deleteUser(call, user.uid());
        } catch (Taken ownsABucket) {
            List<String> _ = deleteOthers(call, user, Set.of());
            throw new Unavailable(
                    "Could not delete the user " + user.uid()
                            + ": it owns a bucket. Its keys are deleted. Delete the bucket, or give it to another user with"
                            + " radosgw-admin bucket chown.",
                    ownsABucket);
        }
    }

    @Override
    public Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<CephUser> user = admin.findUser(call, uid(owner)).filter(found -> isOwned(found, owner));
        if (user.isEmpty()) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        PolicyDocument policy = accounts.requireAccount(call, bucket)
                .flatMap(account -> new PolicyRequests(account.s3()).find(call, bucket))
                .map(PolicyDocument::parse)
                .orElse(PolicyDocument.EMPTY);
        boolean named = !policy.equals(policy.with(owner.principal(), List.of()));
        if (!named) {
            return Set.of(MissingPart.ACCESS);
        }
        return ids(user.get()).containsAll(keys) ? Set.of() : Set.of(MissingPart.KEY);
    }

    @Override
    public void close() {
        // The accounts close the clients.
    }

    /**
     * The owner's principal.
     *
     * @throws Taken if a user of that name exists and is not owned by this owner
     */
    private Optional<CephUser> find(StoreCall call, BucketOwner owner) {
        Optional<CephUser> user = admin.findUser(call, uid(owner));
        if (user.isPresent() && !isOwned(user.get(), owner)) {
            throw new Taken("The user " + owner.principal() + " exists and is not owned by this claim.");
        }
        return user;
    }

    private static boolean isOwned(CephUser user, BucketOwner owner) {
        return user.displayName().equals(OwnerName.of(owner));
    }

    private CephUser require(StoreCall call, BucketOwner owner) {
        return find(call, owner).orElseThrow(() -> missing(owner));
    }

    private List<String> deleteOthers(StoreCall call, CephUser user, Set<String> wanted) {
        List<String> ids = ids(user);
        ids.stream().filter(id -> !wanted.contains(id)).forEach(id -> admin.deleteKey(call, user.uid(), id));
        return ids.stream().filter(wanted::contains).toList();
    }

    private static List<String> ids(CephUser user) {
        return user.keys().stream().map(Credentials.AccessKey::id).toList();
    }

    private String newKeyId() {
        StringBuilder id = new StringBuilder(KEY_ID_LENGTH);
        for (int i = 0; i < KEY_ID_LENGTH; i++) {
            id.append(KEY_ID_CHARACTERS.charAt(random.nextInt(KEY_ID_CHARACTERS.length())));
        }
        return id.toString();
    }

    private static NotFound missing(BucketOwner owner) {
        return new NotFound("The user " + owner.principal() + " does not exist.");
    }

    private static String uid(BucketOwner owner) {
        return owner.principal().text();
    }
}
