package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.identity.BucketQuotas;

/** The quotas of buckets, which the gateway enforces. */
record CephQuotas(AdminOps admin) implements BucketQuotas {

    @Override
    public void check(Quota quota) {
        // The gateway enforces all of them.
    }

    @Override
    public void set(StoreCall call, BucketName bucket, Quota quota) {
        admin.setQuota(call, bucket, owner(call, bucket), quota);
    }

    @Override
    public void clear(StoreCall call, BucketName bucket) {
        admin.clearQuota(call, bucket, owner(call, bucket));
    }

    private String owner(StoreCall call, BucketName bucket) {
        return admin.bucketOwner(call, bucket)
                .orElseThrow(() -> new NotFound("The bucket " + bucket + " does not exist."));
    }
}
