package io.bucketwright.store.s3.minio;

import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import io.bucketwright.store.s3.identity.AccessPolicy;
import io.bucketwright.store.s3.identity.Principals;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The principals of a MinIO server: users, each with one policy. Users have no tags, therefore the name of the policy records
 * the owner. Nobody gets the secret of a user: the keys are service accounts of it, which have the policy of the user and
 * none of their own, so no change of a key can widen its access. A user has two possible keys, whose ids follow from the
 * owner: they are found after a crash without a list of keys, which MinIO encrypts.
 */
record MinioPrincipals(MinioAdmin admin) implements Principals {

    /**
     * Every user of MinIO may create keys for itself unless that is denied, and so could keep access after the known keys are
     * deleted.
     */
    private static final String NO_ADMINISTRATION =
            "{\"Sid\":\"NoAdministration\",\"Effect\":\"Deny\",\"Action\":[\"admin:*\"]}";

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<MinioUser> _ = find(call, owner);
    }

    @Override
    public Credentials.AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        KeySlots slots = KeySlots.of(owner);
        requireFreeSlot(owner, slots, publishedKeys);
        if (!create(call, bucket, owner, access)) {
            removeOthers(call, owner, publishedKeys);
        }
        return admin.addServiceAccount(
                call, name(owner), slots.free(publishedKeys).orElseThrow());
    }

    @Override
    public void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        String document = document(bucket, access);
        MinioUser user = require(call, owner);
        admin.putPolicy(call, policy(owner), document);
        attach(call, owner, user);
    }

    @Override
    public void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        MinioUser _ = require(call, owner);
        removeOthers(call, owner, keptKeys);
    }

    /** The keys of a disabled user have no access. */
    @Override
    public void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active) {
        Optional<MinioUser> user = find(call, owner);
        if (user.isEmpty() && !active) {
            return;
        }
        if (user.orElseThrow(() -> absent(owner)).enabled() != active) {
            admin.setEnabled(call, name(owner), active);
        }
    }

    @Override
    public void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isPresent() && !isOwned(user.get(), owner)) {
            // Nobody else chooses the ids of these keys.
            removeOthers(call, owner, Set.of());
            if (isOwnedInAnotherCluster(user.get(), owner)) {
                return;
            }
            throw UnprovenPrincipal.notDeleted(
                    "user " + owner.principal(), Set.copyOf(KeySlots.of(owner).ids()));
        }
        if (user.isPresent()) {
            // Ends all access: MinIO deletes the keys of the user too.
            admin.removeUser(call, name(owner));
        }
        // Also if the user does not exist: the process may have crashed after it deleted the user.
        admin.removePolicy(call, policy(owner));
    }

    @Override
    public void close() {
        admin.close();
    }

    /** Creates the user if it does not exist; whether it did not. */
    private boolean create(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        String document = document(bucket, access);
        Optional<MinioUser> found = find(call, owner);
        admin.putPolicy(call, policy(owner), document);
        if (found.isEmpty() || found.get().isUnfinished()) {
            admin.putUser(call, name(owner));
            admin.attachPolicy(call, name(owner), policy(owner));
            return found.isEmpty();
        }
        if (!found.get().enabled()) {
            admin.setEnabled(call, name(owner), true);
        }
        attach(call, owner, found.get());
        return false;
    }

    /** Others may have attached further policies, or replaced this one. */
    private void attach(StoreCall call, BucketOwner owner, MinioUser user) {
        if (!user.policies().equals(Set.of(policy(owner)))) {
            admin.attachPolicy(call, name(owner), policy(owner));
        }
    }

    private void removeOthers(StoreCall call, BucketOwner owner, Set<String> wanted) {
        for (String id : KeySlots.of(owner).ids()) {
            if (!wanted.contains(id)) {
                admin.removeServiceAccount(call, name(owner), id);
            }
        }
    }

    private static void requireFreeSlot(BucketOwner owner, KeySlots slots, Set<String> publishedKeys) {
        if (slots.free(publishedKeys).isEmpty()) {
            throw new Invalid("the keys " + List.copyOf(slots.ids()) + " of " + owner.principal()
                    + " are both published; retire one of them first");
        }
    }

    @Override
    public Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isEmpty()) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        return user.get().policies().contains(policy(owner)) ? Set.of() : Set.of(MissingPart.ACCESS);
    }

    private MinioUser require(StoreCall call, BucketOwner owner) {
        return find(call, owner).orElseThrow(() -> absent(owner));
    }

    private static NotFound absent(BucketOwner owner) {
        return new NotFound("The user " + owner.principal() + " does not exist.");
    }

    /**
     * The owner's user; empty if it does not exist.
     *
     * @throws Taken if a user of that name exists and its policy is not the one of this owner
     */
    private Optional<MinioUser> find(StoreCall call, BucketOwner owner) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isPresent() && !isOwned(user.get(), owner)) {
            throw new Taken("The user " + owner.principal() + " exists and is not owned by this claim.");
        }
        return user;
    }

    private static boolean isOwned(MinioUser user, BucketOwner owner) {
        return user.isUnfinished() || user.policies().contains(policy(owner));
    }

    /** Whether its policies name the same uid in another cluster, and nothing that only looks like it. */
    private static boolean isOwnedInAnotherCluster(MinioUser user, BucketOwner owner) {
        String prefix = owner.principal() + "@";
        return user.policies().stream()
                .filter(name -> name.startsWith(prefix))
                .flatMap(name -> BucketOwner.parse(name.substring(prefix.length()) + "/" + owner.uid()).stream())
                .anyMatch(owner::isSameInAnotherCluster);
    }

    private static String document(BucketName bucket, Access access) {
        String document = AccessPolicy.document(bucket, access.prefix().isEmpty() ? access : withoutUploads(access));
        return document.substring(0, document.length() - "]}".length()) + "," + NO_ADMINISTRATION + "]}";
    }

    /** MinIO cannot restrict a list of uploads to a prefix. */
    private static Access withoutUploads(Access access) {
        Set<String> denied = new HashSet<>(access.deny());
        denied.add("s3:ListBucketMultipartUploads");
        return access.withActions(access.allow(), denied);
    }

    private static String name(BucketOwner owner) {
        return owner.principal().text();
    }

    /** Owners contain no {@code @}. */
    private static String policy(BucketOwner owner) {
        return owner.principal() + "@" + owner.clusterId();
    }
}
