package io.bucketwright.store;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.BucketOptions;

/**
 * Changes the options of a bucket and the access of its principal. Credentials stay valid.
 *
 * @param owner the owner of the principal; if there are options, the bucket must be tagged with this owner
 * @param access the new access of the principal; {@link AccessMode#NONE} leaves it unchanged
 * @param options the options to set; other settings are left unchanged
 */
public record UpdateRequest(BucketName bucket, BucketOwner owner, Access access, BucketOptions options) {}
