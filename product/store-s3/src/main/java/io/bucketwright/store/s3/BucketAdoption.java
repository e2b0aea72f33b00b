package io.bucketwright.store.s3;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import io.bucketwright.store.s3.identity.Principals;
import java.time.Duration;
import java.util.Optional;

/** Gives a bucket that exists to another owner. */
record BucketAdoption(BucketSession session, Principals principals) {

    /** S3 cannot write tags conditionally. Of two clusters that adopt a bucket within this time, the last one keeps it. */
    private static final Duration OTHERS_WRITE_WITHIN = Duration.ofMillis(150);

    void adopt(StoreCall call, AdoptRequest request, OwnershipTags tags) {
        if (!(OwnershipChange.adopt(request, tags) instanceof NewTags change)) {
            return;
        }
        BucketName bucket = request.bucket();
        // Before the tags: nobody gets a bucket that others can use.
        change.former().ifPresent(owner -> {
            principals.delete(call, bucket, owner);
            session.settings().remove(call, bucket, AppliedOptions.ALL_OPENING);
        });
        if (change.former().isEmpty()) {
            requireClosed(call, bucket, request.onOpen());
        }
        session.buckets().setOwnership(call, bucket, change.tags());
        call.pause(OTHERS_WRITE_WITHIN);
        Optional<OwnershipTags> now = session.buckets().ownership(call, bucket);
        if (now.isPresent() && !now.get().isAdoptedBy(request.owner())) {
            throw OwnershipConflict.taken(bucket, now.get());
        }
    }

    void transfer(StoreCall call, TransferRequest request, OwnershipTags tags) {
        if (OwnershipChange.transfer(request, tags) instanceof NewTags change) {
            change.former().ifPresent(owner -> principals.delete(call, request.bucket(), owner));
            session.buckets().setOwnership(call, request.bucket(), change.tags());
        }
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
