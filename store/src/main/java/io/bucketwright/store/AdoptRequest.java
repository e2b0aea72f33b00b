package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;

/**
 * Adopts a bucket that was not created for this owner.
 *
 * @param untagged whether to accept a bucket without ownership tags, which the administrator must allow; otherwise only a
 *     released bucket is accepted
 */
public record AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged) {}
