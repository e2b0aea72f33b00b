package io.bucketwright.store.s3.identity;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.Quota;

/** The quotas of buckets. The S3 API has none; some stores have them in their own administration API. */
public interface BucketQuotas {

    /**
     * Checks, without a request, that the store can enforce this quota.
     *
     * @throws Unsupported if it cannot
     */
    default void check(Quota quota) {
        throw new Unsupported("This store does not support quotas.");
    }

    default void set(StoreCall call, BucketName bucket, Quota quota) {
        check(quota);
    }

    /** Removes the quota, if there is one. */
    default void clear(StoreCall call, BucketName bucket) {
        throw new Unsupported("This store does not support quotas.");
    }

    /** For a store without quotas. */
    static BucketQuotas unsupported() {
        return new BucketQuotas() {};
    }
}
