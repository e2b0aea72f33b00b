package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOptions;
import java.util.Collection;
import java.util.Optional;

/**
 * Creates buckets with ownership tags, and gives existing ones to another owner. The labels are part of the request that
 * creates the bucket, and later ones are written only if nobody has changed the bucket since it was read: of several owners
 * that want a bucket at the same time, one gets it.
 */
record BucketOwnership(Buckets buckets, BucketContents contents, Principals principals) {

    /** Creates the bucket, or continues with one that is tagged with this owner. */
    BucketState ensure(StoreCall call, ProvisionRequest request) {
        BucketName bucket = request.bucket();
        Optional<BucketState> found = find(call, bucket);
        if (found.isPresent()) {
            return accept(call, request, found.get());
        }
        OwnershipTags wanted = new OwnershipTags.Owned(request.owner(), request.claim());
        BucketOptions options = request.options();
        BucketState created;
        try {
            created = buckets.create(
                    call, bucket, wanted, BucketSettings.fields(options), BucketSettings.needsObjectRetention(options));
        } catch (Taken exists) {
            return accept(call, request, buckets.find(call, bucket).orElseThrow(() -> exists));
        }
        // An emulator may ignore labels in this request, which succeeds only if the bucket did not exist.
        return created.tags().isOwnedBy(request.owner()) ? created : buckets.setOwnership(call, created, wanted);
    }

    /** A 403 does not prove that the bucket exists: the request that creates it decides. */
    private Optional<BucketState> find(StoreCall call, BucketName bucket) {
        try {
            return buckets.find(call, bucket);
        } catch (Denied | Taken perhapsOfAnotherProject) {
            return Optional.empty();
        }
    }

    private BucketState accept(StoreCall call, ProvisionRequest request, BucketState found) {
        OwnershipTags tags = found.tags();
        if (tags.isOwnedBy(request.owner())) {
            return found;
        }
        boolean unfinished = tags instanceof OwnershipTags.Untagged
                && request.naming() == Naming.GENERATED
                && contents.isEmpty(call, request.bucket());
        Optional<BucketOwner> former = tags instanceof OwnershipTags.Owned
                ? tags.formerOwner(request.owner(), request.claim())
                : Optional.empty();
        if (!unfinished && former.isEmpty()) {
            throw taken(request.bucket(), tags, request.owner());
        }
        // Before the tags, which are the only record of the former owner.
        BucketState current = former.isPresent() ? withoutPrincipal(call, found, former.get()) : found;
        return buckets.setOwnership(call, current, new OwnershipTags.Owned(request.owner(), request.claim()));
    }

    /** Deletes the former owner's principal, which changes the bucket's policy, and reads the bucket again. */
    private BucketState withoutPrincipal(StoreCall call, BucketState bucket, BucketOwner former) {
        principals.delete(call, bucket.bucket(), former);
        BucketState current = buckets.require(call, bucket.bucket());
        if (!current.tags().equals(bucket.tags())) {
            throw taken(bucket.bucket(), current.tags());
        }
        return current;
    }

    void adopt(StoreCall call, AdoptRequest request) {
        BucketState found = buckets.require(call, request.bucket());
        OwnershipTags tags = found.tags();
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
        // Before the tags: they are the only record of the former owner, and nobody gets a bucket that others can use.
        BucketState current = former.isPresent()
                ? withoutPrincipal(call, found, former.get())
                : closed(call, found, request.onOpen());
        BucketState _ =
                buckets.setOwnership(call, current, new OwnershipTags.Adopted(request.owner(), request.claim()));
    }

    private BucketState closed(StoreCall call, BucketState bucket, OnOpenBucket onOpen) {
        Collection<String> others =
                principals.bindings().others(call, bucket.bucket(), principals.accounts()::isPrincipal);
        if (onOpen == OnOpenBucket.REFUSE && !(others.isEmpty() && bucket.isUniform())) {
            throw new Invalid("The bucket " + bucket.bucket() + " cannot be adopted, because "
                    + (others.isEmpty()
                            ? "ACLs can give others access: it has no uniform bucket-level access."
                            : "its IAM policy gives others access.")
                    + " Change that in the store, or use a class with onOpenBucket: close");
        }
        if (!others.isEmpty()) {
            principals.bindings().removeAll(call, bucket.bucket(), others);
        }
        if (!bucket.isUniform()) {
            ObjectNode uniform = JsonNodeFactory.instance.objectNode();
            uniform.withObject("/iamConfiguration/uniformBucketLevelAccess").put("enabled", true);
            return buckets.change(call, buckets.require(call, bucket.bucket()), uniform);
        }
        return others.isEmpty() ? bucket : buckets.require(call, bucket.bucket());
    }

    void transfer(StoreCall call, TransferRequest request) {
        BucketState found = buckets.require(call, request.bucket());
        OwnershipTags tags = found.tags();
        ClaimIdentity claim = tags.claimOrNone();
        Optional<BucketOwner> former = tags.currentOwner().filter(owner -> request.matches(owner, claim));
        if (former.filter(owner -> owner.clusterId().equals(request.toCluster()))
                .isPresent()) {
            return;
        }
        BucketOwner owner = former.filter(current -> current.clusterId().equals(request.fromCluster()))
                .orElseThrow(() -> former.isPresent() ? elsewhere(request.bucket()) : taken(request.bucket(), tags));
        BucketState current = withoutPrincipal(call, found, owner);
        BucketOwner moved = new BucketOwner(request.toCluster(), owner.uid());
        BucketState _ = buckets.setOwnership(
                call,
                current,
                tags instanceof OwnershipTags.Owned
                        ? new OwnershipTags.Owned(moved, claim)
                        : new OwnershipTags.Adopted(moved, claim));
    }

    /** The bucket belongs to this owner of another cluster: a backup of that cluster was restored in this one. */
    static Taken elsewhere(BucketName bucket) {
        return new Taken("The bucket " + bucket
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
            case OwnershipTags.Untagged _ -> "has no ownership labels of Bucketwright";
            case OwnershipTags.Owned _ -> "belongs to another claim";
            case OwnershipTags.Released _ ->
                "was released by its claim; only a class that adopts it for that namespace can use it again";
            case OwnershipTags.Adopted _ -> "was adopted by a claim";
            case OwnershipTags.Unreadable _ -> "has ownership labels that this version cannot read";
        };
        return new Taken("The bucket " + bucket + " already exists and " + reason + ".");
    }
}
