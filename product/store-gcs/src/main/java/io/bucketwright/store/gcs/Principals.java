package io.bucketwright.store.gcs;

import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The principals of a store: service accounts, each with one binding on its bucket and at most two keys. All methods are
 * idempotent.
 */
record Principals(ServiceAccounts accounts, BucketBindings bindings, PrincipalKeys keys) {

    private static final int MAX_KEYS = 2;

    /** @throws Taken if a service account of that name exists and is not tagged with this owner */
    void check(StoreCall call, BucketOwner owner) {
        boolean _ = exists(call, owner);
    }

    /**
     * Creates the owner's service account if it does not exist, and binds it to the bucket before it gets a key. Deletes all
     * keys that are not published, then creates one.
     *
     * @throws Taken if a service account of that name exists and is not tagged with this owner
     * @throws Invalid if two keys are published
     */
    Credentials issue(StoreCall call, BucketOwner owner, BucketName bucket, Access access, Set<String> publishedKeys) {
        List<BucketRole> roles = BucketRole.of(bucket, access);
        boolean created = !exists(call, owner) && accounts.create(call, owner);
        bindings.set(call, bucket, member(owner), roles);
        // A new service account has no keys.
        List<String> kept = created ? List.of() : deleteOthers(call, owner, publishedKeys);
        if (kept.size() >= MAX_KEYS) {
            throw new Invalid(
                    "the keys " + kept + " of " + owner.principal() + " are both published; retire one of them first");
        }
        return keys.create(call, accounts.email(owner));
    }

    /** @throws NotFound if the principal does not exist */
    void setAccess(StoreCall call, BucketOwner owner, BucketName bucket, Access access) {
        List<BucketRole> roles = BucketRole.of(bucket, access);
        require(call, owner);
        bindings.set(call, bucket, member(owner), roles);
    }

    /** @throws NotFound if the principal does not exist */
    private void require(StoreCall call, BucketOwner owner) {
        if (!exists(call, owner)) {
            throw new NotFound("The service account " + accounts.email(owner) + " does not exist.");
        }
    }

    /** Deletes all other keys. */
    void keepKeys(StoreCall call, BucketOwner owner, Set<String> keptKeys) {
        require(call, owner);
        deleteOthers(call, owner, keptKeys);
    }

    /**
     * Disables the keys, and the service account, if it exists.
     *
     * @throws Unavailable if it has a role on the bucket and IAM does not show it
     */
    void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        if (exists(call, owner)) {
            keys.setActive(call, accounts.email(owner), false);
            accounts.setEnabled(call, owner, false);
            return;
        }
        Absence.ignore(() -> keys.setActive(call, accounts.email(owner), false));
        if (isBound(call, bucket, owner) && appears(call, owner)) {
            accounts.setEnabled(call, owner, false);
        }
    }

    private boolean isBound(StoreCall call, BucketName bucket, BucketOwner owner) {
        try {
            return bindings.has(call, bucket, member(owner));
        } catch (NotFound | Denied noSuchBucketOrOfAnotherProject) {
            return false;
        }
    }

    /**
     * Looks again for a service account that is in use and was not found: IAM is eventually consistent. False if it has
     * another owner.
     *
     * @throws Unavailable if IAM still does not show it
     */
    private boolean appears(StoreCall call, BucketOwner owner) {
        try {
            if (exists(call, owner)) {
                return true;
            }
        } catch (Taken notOwned) {
            return false;
        }
        throw new Unavailable("The service account " + accounts.email(owner)
                + " has a key or a role, and IAM does not show it. A new service account can take a minute to appear.");
    }

    /** @throws NotFound if the principal does not exist */
    void unsuspend(StoreCall call, BucketOwner owner) {
        require(call, owner);
        accounts.setEnabled(call, owner, true);
        keys.setActive(call, accounts.email(owner), true);
    }

    /**
     * Deletes the principal, its keys and its binding first. All keys are disabled before one is deleted, because that can fail
     * for minutes. Also if IAM does not show the service account, which is no proof
     * that it does not exist. Without the binding, tokens that are still valid give no access. The name of a service account
     * is a hash of its owner, so that another owner cannot have one of that name.
     *
     * @param published ids of the keys that were published for this owner
     * @throws Denied if the service account no longer names its owner; only its role on the bucket and these keys end then
     * @throws Unavailable if it had a key or a role, which it then has no longer, and IAM does not show it
     */
    void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> published) {
        String email = accounts.email(owner);
        boolean found;
        try {
            found = exists(call, owner);
        } catch (Taken unproven) {
            List<String> _ = list(call, email, published::contains);
            boolean _ = unbind(call, bucket, owner);
            published.forEach(id -> keys.delete(call, email, id));
            throw UnprovenPrincipal.notDeleted("service account " + email, published);
        }
        List<String> ids = list(call, email, _ -> true);
        boolean hadRole = unbind(call, bucket, owner);
        ids.forEach(id -> keys.delete(call, email, id));
        // Only a service account that was read is deleted: its description shows the owner.
        if (found || ((!ids.isEmpty() || hadRole) && appears(call, owner))) {
            accounts.delete(call, owner);
        }
    }

    private boolean unbind(StoreCall call, BucketName bucket, BucketOwner owner) {
        try {
            return bindings.remove(call, bucket, member(owner));
        } catch (NotFound | Denied noSuchBucketOrOfAnotherProject) {
            // The service account has no access there, and is deleted anyway.
            return false;
        }
    }

    /** What the owner's principal lacks: its service account, or a binding of it on the bucket. */
    Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> published) {
        try {
            if (!exists(call, owner)) {
                return Set.of(MissingPart.PRINCIPAL);
            }
        } catch (Taken notOwned) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        if (!bindings.has(call, bucket, member(owner))) {
            return Set.of(MissingPart.ACCESS);
        }
        boolean complete = published.isEmpty()
                || list(call, accounts.email(owner), _ -> false).containsAll(published);
        return complete ? Set.of() : Set.of(MissingPart.KEY);
    }

    String email(BucketOwner owner) {
        return accounts.email(owner);
    }

    private String member(BucketOwner owner) {
        return ServiceAccounts.member(accounts.email(owner));
    }

    private boolean exists(StoreCall call, BucketOwner owner) {
        return accounts.find(call, owner).isPresent();
    }

    private List<String> deleteOthers(StoreCall call, BucketOwner owner, Set<String> wanted) {
        String email = accounts.email(owner);
        Predicate<String> unwanted = id -> !wanted.contains(id);
        List<String> ids = list(call, email, unwanted);
        ids.stream().filter(unwanted).forEach(id -> keys.delete(call, email, id));
        return ids.stream().filter(wanted::contains).toList();
    }

    private List<String> list(StoreCall call, String email, Predicate<String> unwanted) {
        return Absence.toEmpty(() -> keys.list(call, email, unwanted)).orElse(List.of());
    }
}
