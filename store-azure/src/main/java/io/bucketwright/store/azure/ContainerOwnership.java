package io.bucketwright.store.azure;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Map;
import java.util.Optional;

/** Gives a container that exists to an owner. Everything happens while the lease of the container is held. */
record ContainerOwnership(Containers containers, PolicyPrincipals principals) {

    /**
     * Continues with a container of this owner, or of a former one of the same claim.
     *
     * @throws Taken if it has another owner, or none
     */
    ContainerAcl accept(StoreCall call, ContainerLease lease, ProvisionRequest request) {
        Map<String, String> tags = containers.tags(call, request.bucket());
        OwnershipTags found = OwnershipTags.read(tags);
        Optional<BucketOwner> former = found instanceof OwnershipTags.Owned
                ? found.formerOwner(request.owner(), request.claim())
                : Optional.empty();
        if (!found.isOwnedBy(request.owner()) && former.isEmpty()) {
            throw taken(request.bucket(), found, request.owner());
        }
        ContainerAcl acl = containers.acl(call, request.bucket());
        if (former.isEmpty()) {
            return acl;
        }
        // Before the tags, which are the only record of the former owner.
        ContainerAcl closed = principals.delete(acl, former.get()).closed();
        containers.putAcl(call, lease, closed);
        OwnershipTags wanted = new OwnershipTags.Owned(request.owner(), request.claim());
        containers.putTags(call, lease, wanted.mergedInto(tags));
        return closed;
    }

    void adopt(StoreCall call, ContainerLease lease, AdoptRequest request) {
        Map<String, String> all = containers.tags(call, request.bucket());
        OwnershipTags tags = OwnershipTags.read(all);
        if (tags.isAdoptedBy(request.owner())) {
            return;
        }
        Optional<BucketOwner> former = tags.formerOwner(request.owner(), request.claim());
        boolean adoptable = switch (tags) {
            case OwnershipTags.Untagged _ -> request.untagged();
            case OwnershipTags.Released released ->
                request.anyNamespace() || released.claim().isSameNamespace(request.claim());
            case OwnershipTags.Adopted _, OwnershipTags.Owned _ -> former.isPresent();
            case OwnershipTags.Unreadable _ -> false;
        };
        if (!adoptable) {
            throw taken(request.bucket(), tags);
        }
        ContainerAcl acl = containers.acl(call, request.bucket());
        if (former.isEmpty() && acl.isOpen() && request.onOpen() == OnOpenBucket.REFUSE) {
            throw new Invalid("The container " + request.bucket() + " cannot be adopted, because its "
                    + (acl.publicAccess().isEmpty() ? "stored access policies give" : "public access gives")
                    + " others access. Remove that in the store, or use a class with onOpenBucket: close");
        }
        // Before the tags: they are the only record of the former owner, and nobody gets a bucket that others can use.
        ContainerAcl closed =
                former.map(owner -> principals.delete(acl, owner)).orElse(acl).closed();
        if (!closed.equals(acl)) {
            containers.putAcl(call, lease, closed);
        }
        containers.putTags(call, lease, new OwnershipTags.Adopted(request.owner(), request.claim()).mergedInto(all));
    }

    void transfer(StoreCall call, ContainerLease lease, TransferRequest request) {
        Map<String, String> all = containers.tags(call, request.bucket());
        OwnershipTags tags = OwnershipTags.read(all);
        ClaimIdentity claim = tags.claimOrNone();
        Optional<BucketOwner> former = tags.currentOwner().filter(owner -> request.matches(owner, claim));
        if (former.filter(owner -> owner.clusterId().equals(request.toCluster()))
                .isPresent()) {
            return;
        }
        BucketOwner owner = former.filter(found -> found.clusterId().equals(request.fromCluster()))
                .orElseThrow(() -> former.isPresent() ? elsewhere(request.bucket()) : taken(request.bucket(), tags));
        containers.putAcl(call, lease, principals.delete(containers.acl(call, request.bucket()), owner));
        BucketOwner moved = new BucketOwner(request.toCluster(), owner.uid());
        OwnershipTags wanted = tags instanceof OwnershipTags.Owned
                ? new OwnershipTags.Owned(moved, claim)
                : new OwnershipTags.Adopted(moved, claim);
        containers.putTags(call, lease, wanted.mergedInto(all));
    }

    /** The bucket belongs to this owner of another cluster: a backup of that cluster was restored in this one. */
    static Taken elsewhere(BucketName bucket) {
        return new Taken("The container " + bucket
                + " belongs to another cluster. If that cluster no longer uses it, an administrator can transfer it to this"
                + " one, see docs/backup-and-restore.md.");
    }

    static Taken taken(BucketName bucket, OwnershipTags tags, BucketOwner wanted) {
        return tags.currentOwner()
                        .filter(owner -> owner.isSameInAnotherCluster(wanted))
                        .isPresent()
                ? elsewhere(bucket)
                : taken(bucket, tags);
    }

    static Taken taken(BucketName bucket, OwnershipTags tags) {
        String reason = switch (tags) {
            case OwnershipTags.Untagged _ -> "has no ownership tag of Bucketwright";
            case OwnershipTags.Owned _ -> "belongs to another claim";
            case OwnershipTags.Released _ ->
                "was released by its claim; only a class that adopts it for that namespace can use it again";
            case OwnershipTags.Adopted _ -> "was adopted by a claim";
            case OwnershipTags.Unreadable _ -> "has ownership tags that this version cannot read";
        };
        return new Taken("The container " + bucket + " already exists and " + reason + ".");
    }
}
