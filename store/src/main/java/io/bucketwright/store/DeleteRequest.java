package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;

/**
 * Deletes a provisioned bucket and its principal.
 *
 * @param owner must equal the owner that the bucket is tagged with
 */
public record DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {}
