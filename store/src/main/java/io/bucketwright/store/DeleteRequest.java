package io.bucketwright.store;

/**
 * The end of a bucket that was provisioned, and of its principal.
 *
 * @param owner must equal the bucket's mark
 */
public record DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {}
