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
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A store that needs time for some calls, and gives up when the time of the call is over.
 *
 * @param delayed the names of these calls
 * @param begun counted down when the first of them begins
 */
record DelayedStore(
        BucketStore behind, Duration delay, Predicate<String> delayed, CountDownLatch begun, AtomicBoolean interrupted)
        implements BucketStore {

    DelayedStore(BucketStore behind, Duration delay, Predicate<String> delayed) {
        this(behind, delay, delayed, new CountDownLatch(1), new AtomicBoolean());
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        delay(call, "provision");
        return behind.provision(call, request);
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        delay(call, "grant");
        return behind.grant(call, request);
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        delay(call, "delete");
        return behind.delete(call, request);
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        delay(call, "revoke");
        behind.revoke(call, bucket, owner, keys);
    }

    private void delay(StoreCall call, String name) {
        if (!delayed.test(name)) {
            return;
        }
        Duration left = call.remaining();
        call.interruptible(() -> {
            begun.countDown();
            try {
                Thread.sleep(left.compareTo(delay) < 0 ? left : delay);
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw new Unavailable("The call was cancelled.", e);
            }
            return true;
        });
        call.check();
    }
}
