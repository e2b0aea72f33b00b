package io.bucketwright.store.azure;

import io.bucketwright.store.MissingPart;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ObjectAction;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The principals of a container: one or two stored access policies for each owner, each with one token. Pure functions from
 * the policies of a container to new ones. All of them are idempotent.
 *
 * @param httpsOnly whether tokens are valid only for requests with TLS
 */
record PolicyPrincipals(SharedKey key, boolean httpsOnly, SecureRandom random) {

    /** The limit of Azure. Emulators accept more. */
    static final int MAX_POLICIES = 5;

    private static final int MAX_KEYS = 2;

    /** New policies of a container, the id of the one that was added, and the token for it. */
    record Issued(ContainerAcl acl, String policy, SecretValue token) {}

    /**
     * Deletes the owner's policies that are not published, and adds one.
     *
     * @throws Invalid if two are published
     * @throws Unavailable if the container has too many policies
     */
    Issued issue(ContainerAcl acl, BucketName bucket, BucketOwner owner, Access access, Set<String> published) {
        ContainerAcl kept = acl.without(of(owner).and(policy -> !published.contains(policy.id())));
        List<StoredPolicy> own = kept.policies().stream().filter(of(owner)).toList();
        if (own.size() >= MAX_KEYS) {
            throw new Invalid("the keys " + own.stream().map(StoredPolicy::id).toList()
                    + " are both published; retire one of them first");
        }
        if (kept.policies().size() >= MAX_POLICIES) {
            throw new Unavailable(
                    "The container " + bucket + " has " + kept.policies().size()
                            + " stored access policies, and Azure allows five: revoke the access of another user of the container,"
                            + " or end its rotation.");
        }
        boolean suspended = own.stream().anyMatch(StoredPolicy::isSuspended);
        StoredPolicy policy =
                StoredPolicy.create(owner, permission(access), random).withSuspension(suspended);
        return new Issued(kept.with(policy), policy.id(), key.containerToken(bucket.text(), policy.id(), httpsOnly));
    }

    /**
     * Keeps only these policies of the owner.
     *
     * @throws NotFound if the principal does not exist
     */
    ContainerAcl retire(ContainerAcl acl, BucketName bucket, BucketOwner owner, Set<String> kept) {
        require(acl, bucket, owner);
        return acl.without(of(owner).and(policy -> !kept.contains(policy.id())));
    }

    /**
     * Changes the permission of all policies of the owner.
     *
     * @throws NotFound if the principal does not exist
     */
    ContainerAcl setAccess(ContainerAcl acl, BucketName bucket, BucketOwner owner, Access access) {
        require(acl, bucket, owner);
        String permission = permission(access);
        return acl.changed(of(owner), policy -> policy.withPermission(permission));
    }

    /**
     * Enables the principal again.
     *
     * @throws NotFound if the principal does not exist
     */
    ContainerAcl unsuspend(ContainerAcl acl, BucketName bucket, BucketOwner owner) {
        require(acl, bucket, owner);
        return acl.changed(of(owner), policy -> policy.withSuspension(false));
    }

    ContainerAcl suspend(ContainerAcl acl, BucketOwner owner) {
        return acl.changed(of(owner), policy -> policy.withSuspension(true));
    }

    ContainerAcl delete(ContainerAcl acl, BucketOwner owner) {
        return acl.without(of(owner));
    }

    /** What the owner's principal lacks: a principal consists of its policies. */
    Set<MissingPart> missing(ContainerAcl acl, BucketOwner owner, Set<String> keys) {
        Set<String> ids = acl.policies().stream()
                .filter(of(owner).and(policy -> !policy.isDisabled()))
                .map(StoredPolicy::id)
                .collect(Collectors.toSet());
        if (ids.isEmpty()) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        return ids.containsAll(keys) ? Set.of() : Set.of(MissingPart.KEY);
    }

    /**
     * The letters of a stored access policy, in the order that Azure requires.
     *
     * @throws Unsupported if a policy cannot express the access
     */
    static String permission(Access access) {
        if (!access.prefix().isEmpty()) {
            throw new Unsupported("Azure Blob Storage cannot restrict access to the prefix of a container.");
        }
        Set<ObjectAction> actions = ObjectAction.of(access, "Azure Blob Storage");
        return (actions.contains(ObjectAction.READ) ? "r" : "")
                + (actions.contains(ObjectAction.WRITE) ? "acw" : "")
                + (actions.contains(ObjectAction.DELETE) ? "d" : "")
                + (actions.contains(ObjectAction.LIST) ? "l" : "");
    }

    private static List<StoredPolicy> require(ContainerAcl acl, BucketName bucket, BucketOwner owner) {
        List<StoredPolicy> own = acl.policies().stream().filter(of(owner)).toList();
        if (own.isEmpty()) {
            throw new NotFound("The container " + bucket + " has no access policy of this claim.");
        }
        return own;
    }

    private static Predicate<StoredPolicy> of(BucketOwner owner) {
        return policy -> policy.belongsTo(owner);
    }
}
