package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;

/**
 * Adopts a bucket that was not created for this owner.
 *
 * @param untagged whether to accept a bucket without ownership tags, which the administrator must allow; otherwise only a
 *     released bucket is accepted
 * @param onOpen what to do if the bucket is open to others
 */
public record AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged, OnOpenBucket onOpen) {

    /** Adopts a bucket that nobody else has access to. */
    public AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged) {
        this(bucket, owner, untagged, OnOpenBucket.REFUSE);
    }
}
