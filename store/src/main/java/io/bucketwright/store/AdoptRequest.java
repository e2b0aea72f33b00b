package io.bucketwright.store;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

/**
 * A bucket to take over that was not made for this owner.
 *
 * @param untagged whether also one that bears no mark at all may be taken, on the administrator's word; otherwise only
 *     one that was released
 */
public record AdoptRequest(BucketName bucket, BucketOwner owner, boolean untagged) {}
