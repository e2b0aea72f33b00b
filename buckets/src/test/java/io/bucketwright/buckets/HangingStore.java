package io.bucketwright.buckets;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Never answers when asked for a bucket. */
record HangingStore(BucketStore behind, CountDownLatch begun, AtomicBoolean interrupted) implements BucketStore {

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        return call.interruptible(() -> {
            begun.countDown();
            try {
                Thread.sleep(call.remaining());
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw new Unavailable("The call was cancelled.", e);
            }
            throw new Unavailable("The store took too long.");
        });
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        return behind.grant(call, request);
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        return behind.delete(call, request);
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
        behind.revoke(call, bucket, owner);
    }
}
