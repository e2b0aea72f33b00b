package io.bucketwright.store.s3.minio;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.identity.BucketQuotas;

/**
 * The quotas of MinIO, in bytes. MinIO compares them with a usage that it measures every few minutes: only an object that is
 * larger than the whole quota is refused at once.
 */
record MinioQuotas(MinioAdmin admin) implements BucketQuotas {

    private static final long NONE = 0;

    @Override
    public void check(Quota quota) {
        if (quota.maxObjects() != Quota.UNLIMITED) {
            throw new Unsupported("MinIO cannot limit the number of objects: a quota can only have a size.");
        }
        if (quota.maxBytes() == NONE) {
            throw new Unsupported("MinIO does not support a quota of 0 bytes.");
        }
    }

    @Override
    public void set(StoreCall call, BucketName bucket, Quota quota) {
        check(quota);
        admin.setQuota(call, bucket, quota.maxBytes() == Quota.UNLIMITED ? NONE : quota.maxBytes());
    }

    @Override
    public void clear(StoreCall call, BucketName bucket) {
        admin.setQuota(call, bucket, NONE);
    }
}
