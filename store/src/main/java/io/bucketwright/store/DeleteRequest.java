package io.bucketwright.store;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

/**
 * The end of a bucket that was provisioned, and of its principal.
 *
 * @param owner must equal the bucket's mark
 */
public record DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {}
