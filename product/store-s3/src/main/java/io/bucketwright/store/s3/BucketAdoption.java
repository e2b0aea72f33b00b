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

    void adopt(StoreCall call, AdoptRequest request) {
        if (!(OwnershipChange.adopt(request, session.buckets().requireOwnership()) instanceof NewTags change)) {
            return;
        }
        BucketName bucket = request.bucket();
        // Before the tags: nobody gets a bucket that others can use.
        change.former().ifPresent(owner -> {
            principals.delete(call, bucket, owner);
            session.settings().remove(AppliedOptions.ALL_OPENING);
        });
        if (change.former().isEmpty()) {
            requireClosed(bucket, request.onOpen());
        }
        session.buckets().setOwnership(change.tags());
        call.pause(OTHERS_WRITE_WITHIN);
        Optional<OwnershipTags> now = session.buckets().ownership();
        if (now.isPresent() && !now.get().isAdoptedBy(request.owner())) {
            throw OwnershipConflict.taken(bucket, now.get());
        }
    }

    void transfer(StoreCall call, TransferRequest request) {
        if (OwnershipChange.transfer(request, session.buckets().requireOwnership()) instanceof NewTags change) {
            change.former().ifPresent(owner -> principals.delete(call, request.bucket(), owner));
            session.buckets().setOwnership(change.tags());
        }
    }

    private void requireClosed(BucketName bucket, OnOpenBucket onOpen) {
        BucketPolicies policies = session.settings().policies();
        BucketAcls acls = session.settings().acls();
        boolean byPolicy = policies.allowsAccess();
        boolean byAcl = acls.allowsAccess();
        if (onOpen == OnOpenBucket.REFUSE && (byPolicy || byAcl)) {
            throw new Invalid(
                    "The bucket " + bucket + " cannot be adopted, because its " + (byPolicy ? "policy" : "ACL")
                            + " gives others access. Remove that in the store, or use a class with onOpenBucket: close");
        }
        if (byPolicy) {
            policies.delete();
        }
        if (byAcl) {
            acls.put(CannedAcl.PRIVATE);
        }
    }
}
