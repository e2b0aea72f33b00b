package io.bucketwright.store.ownership;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Optional;

/** What a request changes about the owner of a bucket that exists. */
public sealed interface OwnershipChange {

    /** The tags are as requested. */
    record NoChange() implements OwnershipChange {}

    /**
     * The bucket gets other tags.
     *
     * @param former the owner that the tags name so far and whose principal is deleted. The store deletes it first: the tags
     *     are the only record of that owner, and a crash in between must not leave its access
     * @param tags the tags to write
     */
    record NewTags(Optional<BucketOwner> former, OwnershipTags tags) implements OwnershipChange {}

    /**
     * For a bucket that exists when it is to be created. A store that tags buckets after it created them decides itself
     * whether an untagged bucket is one of those.
     *
     * @throws Taken if the bucket belongs to another owner, or to none
     */
    static OwnershipChange provision(ProvisionRequest request, OwnershipTags tags) {
        if (tags.isOwnedBy(request.owner())) {
            return new NoChange();
        }
        Optional<BucketOwner> former = tags.formerOwner(request.owner(), request.claim());
        if (former.isEmpty() || !(tags instanceof OwnershipTags.Owned owned)) {
            throw OwnershipConflict.ofNamesake(request.bucket(), tags, request.owner(), request.claim())
                    .orElseGet(() -> OwnershipConflict.taken(request.bucket(), tags, request.owner()));
        }
        return new NewTags(
                former,
                new OwnershipTags.Owned(
                        request.owner(), request.claim(), owned.reclaim().orStricter(request.reclaim())));
    }

    /**
     * For a bucket to adopt. Without a former owner, the store checks that nobody else has access.
     *
     * @throws Taken if this request may not adopt a bucket with these tags
     */
    static OwnershipChange adopt(AdoptRequest request, OwnershipTags tags) {
        if (tags.isAdoptedBy(request.owner())) {
            return new NoChange();
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
            throw OwnershipConflict.ofNamesake(request.bucket(), tags, request.owner(), request.claim())
                    .orElseGet(() -> OwnershipConflict.taken(request.bucket(), tags));
        }
        return new NewTags(former, new OwnershipTags.Adopted(request.owner(), request.claim()));
    }

    /**
     * For a bucket of another cluster, or of a namespace of this cluster that was created again. There is always a former
     * owner. A claim that may have been suspended gets its bucket back, too: an administrator requests the transfer.
     *
     * @throws Taken if the bucket does not belong to the requested owner, or to neither of the two clusters
     */
    static OwnershipChange transfer(TransferRequest request, OwnershipTags tags) {
        ClaimIdentity claim = tags.claimOrNone();
        BucketOwner former = tags.currentOwner()
                .filter(owner -> request.matches(owner, claim))
                .orElseThrow(() -> OwnershipConflict.taken(request.bucket(), tags));
        if (!former.clusterId().equals(request.fromCluster())) {
            if (former.clusterId().equals(request.toCluster())) {
                return new NoChange();
            }
            throw OwnershipConflict.elsewhere(request.bucket());
        }
        BucketOwner moved = new BucketOwner(request.toCluster(), former.uid());
        boolean named = request.claim().isKnown();
        ClaimIdentity next = named ? request.claim() : claim;
        OwnershipTags transferred = tags instanceof OwnershipTags.Owned owned
                ? new OwnershipTags.Owned(moved, next, named ? owned.reclaim().transferred() : owned.reclaim())
                : new OwnershipTags.Adopted(moved, next);
        return transferred.equals(tags) ? new NoChange() : new NewTags(Optional.of(former), transferred);
    }

    /**
     * For a bucket that its owner releases. Its principal stays: the caller revokes the access.
     *
     * @throws Taken if the bucket belongs to another owner, or to none
     */
    static OwnershipChange release(BucketName bucket, BucketOwner owner, OwnershipTags tags) {
        if (tags.isReleasedBy(owner)) {
            return new NoChange();
        }
        if (!tags.isOwnedBy(owner) && !tags.isAdoptedBy(owner)) {
            throw OwnershipConflict.taken(bucket, tags);
        }
        return new NewTags(Optional.empty(), new OwnershipTags.Released(owner, tags.claimOrNone()));
    }
}
