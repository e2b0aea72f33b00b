package io.bucketwright.store;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOptions;

/**
 * Changes the options of a bucket and the access of its principal. Credentials stay valid.
 *
 * @param owner the owner of the principal; if options are set or removed, the bucket must be tagged with this owner
 * @param access the new access of the principal; {@link AccessMode#NONE} leaves it unchanged
 * @param options the options to set; other settings are left unchanged
 * @param removed options that the caller set before and that are removed first: the bucket then is as if they had never been
 *     set, as far as the store allows that. Settings that others have put in their place are kept
 */
public record UpdateRequest(
        BucketName bucket, BucketOwner owner, Access access, BucketOptions options, AppliedOptions removed) {

    /** Removes nothing. */
    public UpdateRequest(BucketName bucket, BucketOwner owner, Access access, BucketOptions options) {
        this(bucket, owner, access, options, AppliedOptions.NONE);
    }

    /** Removes options, and changes nothing else. */
    public static UpdateRequest removing(BucketName bucket, BucketOwner owner, AppliedOptions removed) {
        return new UpdateRequest(bucket, owner, Access.none(), BucketOptions.unmanaged(), removed);
    }

    /** Whether the bucket itself changes, and not only the access of the principal. */
    public boolean changesBucket() {
        return !options.isEmpty() || !removed.isEmpty();
    }
}
