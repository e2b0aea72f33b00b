package io.bucketwright.store.s3;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.s3.identity.Principals;
import java.time.Duration;
import java.util.Optional;

/** Gives a bucket that exists to another owner. */
record BucketAdoption(BucketSession session, Principals principals) {

    /** S3 cannot write tags conditionally. Of two clusters that adopt a bucket within this time, the last one keeps it. */
    private static final Duration OTHERS_WRITE_WITHIN = Duration.ofMillis(150);

    void adopt(StoreCall call, AdoptRequest request, OwnershipTags tags) {
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
            throw BucketCreation.taken(request.bucket(), tags);
        }
        // Before the tags: they are the only record of the former owner, and nobody gets a bucket that others can use.
        former.ifPresent(owner -> {
            principals.delete(call, request.bucket(), owner);
            session.settings().remove(call, request.bucket(), AppliedOptions.ALL_OPENING);
        });
        if (former.isEmpty()) {
            requireClosed(call, request.bucket(), request.onOpen());
        }
        session.buckets()
                .setOwnership(call, request.bucket(), new OwnershipTags.Adopted(request.owner(), request.claim()));
        call.pause(OTHERS_WRITE_WITHIN);
        Optional<OwnershipTags> now = session.buckets().ownership(call, request.bucket());
        if (now.isPresent() && !now.get().isAdoptedBy(request.owner())) {
            throw BucketCreation.taken(request.bucket(), now.get());
        }
    }

    void transfer(StoreCall call, TransferRequest request, OwnershipTags tags) {
        ClaimIdentity claim = tags.claimOrNone();
        Optional<BucketOwner> former = tags.currentOwner().filter(owner -> request.matches(owner, claim));
        if (former.filter(owner -> owner.clusterId().equals(request.toCluster()))
                .isPresent()) {
            return;
        }
        BucketOwner owner = former.filter(found -> found.clusterId().equals(request.fromCluster()))
                .orElseThrow(() -> former.isPresent()
                        ? BucketCreation.elsewhere(request.bucket())
                        : BucketCreation.taken(request.bucket(), tags));
        principals.delete(call, request.bucket(), owner);
        BucketOwner moved = new BucketOwner(request.toCluster(), owner.uid());
        session.buckets()
                .setOwnership(
                        call,
                        request.bucket(),
                        tags instanceof OwnershipTags.Owned
                                ? new OwnershipTags.Owned(moved, claim)
                                : new OwnershipTags.Adopted(moved, claim));
    }

    private void requireClosed(StoreCall call, BucketName bucket, OnOpenBucket onOpen) {
        BucketPolicies policies = session.settings().policies();
        BucketAcls acls = session.settings().acls();
        boolean byPolicy = policies.allowsAccess(call, bucket);
        boolean byAcl = acls.allowsAccess(call, bucket);
        if (onOpen == OnOpenBucket.REFUSE && (byPolicy || byAcl)) {
            throw new Invalid(
                    "The bucket " + bucket + " cannot be adopted, because its " + (byPolicy ? "policy" : "ACL")
                            + " gives others access. Remove that in the store, or use a class with onOpenBucket: close");
        }
        if (byPolicy) {
            policies.delete(call, bucket);
        }
        if (byAcl) {
            acls.put(call, bucket, CannedAcl.PRIVATE);
        }
    }
}
