package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;

/**
 * Adopts a bucket that was not created for this owner.
 *
 * @param claim the claim of the owner, recorded in the ownership tags
 * @param untagged whether to accept a bucket without ownership tags, which the administrator must allow; otherwise only a
 *     released bucket is accepted
 * @param anyNamespace whether to accept a bucket that a claim of another namespace released, which the administrator must
 *     allow
 * @param onOpen what to do if the bucket is open to others
 */
public record AdoptRequest(
        BucketName bucket,
        BucketOwner owner,
        ClaimIdentity claim,
        boolean untagged,
        boolean anyNamespace,
        OnOpenBucket onOpen) {

    /** For owners that are no claims: accepts a bucket that anybody released. */
    public AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged, OnOpenBucket onOpen) {
        this(bucket, owner, ClaimIdentity.NONE, untagged, true, onOpen);
    }

    /** Adopts a bucket that nobody else has access to. */
    public AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged) {
        this(bucket, owner, untagged, OnOpenBucket.REFUSE);
    }
}
