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

/** A store in which something happens before each of its calls. */
record HookedStore(BucketStore behind, Hook hook) implements BucketStore {

    /** Gets the name of a call, and for whom it is; may throw. */
    interface Hook {
        void before(StoreCall call, String name, BucketOwner owner);
    }

    /**
     * A hook that needs time for some calls, and gives up when the time of the call is over.
     *
     * @param delayed the names of these calls
     * @param begun counted down when the first of them begins
     */
    record Delay(Duration delay, Predicate<String> delayed, CountDownLatch begun, AtomicBoolean interrupted)
            implements Hook {

        Delay(Duration delay, Predicate<String> delayed) {
            this(delay, delayed, new CountDownLatch(1), new AtomicBoolean());
        }

        @Override
        public void before(StoreCall call, String name, BucketOwner owner) {
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

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        hook.before(call, "check", owner);
        behind.check(call, bucket, owner);
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        hook.before(call, "provision", request.owner());
        return behind.provision(call, request);
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        hook.before(call, "grant", request.owner());
        return behind.grant(call, request);
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        hook.before(call, "delete", request.owner());
        return behind.delete(call, request);
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        hook.before(call, "revoke", owner);
        behind.revoke(call, bucket, owner, keys);
    }
}
