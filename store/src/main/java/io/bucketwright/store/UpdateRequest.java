package io.bucketwright.store;

/**
 * Other options for a bucket, and another access for its principal. Keys stay as they are.
 *
 * @param owner whose principal it is; must equal the bucket's mark if there are options
 * @param access what the principal may do from now on; {@link AccessMode#NONE} leaves it alone
 * @param options what to set; what is not in here is left alone
 */
public record UpdateRequest(BucketName bucket, BucketOwner owner, Access access, BucketOptions options) {}
