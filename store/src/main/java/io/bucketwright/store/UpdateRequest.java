package io.bucketwright.store;

import io.bucketwright.store.options.BucketOptions;

import io.bucketwright.store.access.AccessMode;

import io.bucketwright.store.access.Access;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

/**
 * Other options for a bucket, and another access for its principal. Keys stay as they are.
 *
 * @param owner whose principal it is; must equal the bucket's mark if there are options
 * @param access what the principal may do from now on; {@link AccessMode#NONE} leaves it alone
 * @param options what to set; what is not in here is left alone
 */
public record UpdateRequest(BucketName bucket, BucketOwner owner, Access access, BucketOptions options) {}
