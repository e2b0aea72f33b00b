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
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipChange.NoChange;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

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
        OwnershipTags wanted = request.ownership();
        BucketState created;
        try {
            created = buckets.create(call, bucket, wanted, settings(request));
        } catch (Taken exists) {
            return accept(call, request, buckets.find(call, bucket).orElseThrow(() -> exists));
        }
        // An emulator may ignore labels in this request, which succeeds only if the bucket did not exist.
        return created.tags().isOwnedBy(request.owner()) ? created : buckets.setOwnership(call, created, wanted);
    }

    /** What is to be erased must not be restored; Google keeps what was deleted before the policy was changed. */
    private static ObjectNode settings(ProvisionRequest request) {
        ObjectNode fields = BucketSettings.fields(request.options());
        return request.reclaim() == Reclaim.ERASE ? Buckets.withoutSoftDelete(fields) : fields;
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
        boolean unfinished = found.tags() instanceof OwnershipTags.Untagged
                && request.naming() == Naming.GENERATED
                && contents.isEmpty(call, request.bucket());
        if (unfinished) {
            return buckets.setOwnership(call, found, request.ownership());
        }
        return switch (OwnershipChange.provision(request, found.tags())) {
            case NoChange _ -> found;
            case NewTags change ->
                buckets.setOwnership(call, closed(call, withoutPrincipal(call, found, change.former())), change.tags());
        };
    }

    /** What the options of the former owner opened. */
    private BucketState closed(StoreCall call, BucketState bucket) {
        return new BucketSettings(buckets, principals.bindings()).close(call, bucket);
    }

    /** Deletes the former owner's principal, which changes the bucket's policy, and reads the bucket again. */
    private BucketState withoutPrincipal(StoreCall call, BucketState bucket, Optional<BucketOwner> former) {
        if (former.isEmpty()) {
            return bucket;
        }
        principals.delete(call, bucket.bucket(), former.get(), Set.of());
        BucketState current = buckets.require(call, bucket.bucket());
        if (!current.tags().equals(bucket.tags())) {
            throw OwnershipConflict.taken(bucket.bucket(), current.tags());
        }
        return current;
    }

    void adopt(StoreCall call, AdoptRequest request) {
        BucketState found = buckets.require(call, request.bucket());
        if (OwnershipChange.adopt(request, found.tags()) instanceof NewTags change) {
            // Before the tags: nobody gets a bucket that others can use.
            BucketState current = change.former().isPresent()
                    ? withoutPrincipal(call, found, change.former())
                    : closed(call, found, request.onOpen());
            BucketState _ = buckets.setOwnership(call, current, change.tags());
        }
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
        if (OwnershipChange.transfer(request, found.tags()) instanceof NewTags change) {
            BucketState current = withoutPrincipal(call, found, change.former());
            BucketState _ = buckets.setOwnership(call, current, change.tags());
        }
    }
}
