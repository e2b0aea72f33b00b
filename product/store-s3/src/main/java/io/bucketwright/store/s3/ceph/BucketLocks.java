package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Keeps two threads from changing the policy or the account of one bucket at the same time. A policy is read, changed and
 * written, and the gateway cannot write on a condition. Of two requests that create a user at the same time both succeed, and
 * only one of the two keys is valid.
 */
final class BucketLocks {

    private static final int COUNT = 256;

    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(COUNT).toList();

    <T> T locked(StoreCall call, BucketName bucket, Supplier<T> change) {
        ReentrantLock lock = locks.get(Math.floorMod(bucket.hashCode(), COUNT));
        if (!call.interruptible(() -> acquire(lock, call.remaining(), bucket))) {
            throw new Unavailable("Could not change the bucket " + bucket
                    + " in time: other calls of this process have not finished. It is retried.");
        }
        try {
            return change.get();
        } finally {
            lock.unlock();
        }
    }

    private static boolean acquire(ReentrantLock lock, Duration limit, BucketName bucket) {
        try {
            return lock.tryLock(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was cancelled before the bucket " + bucket + " was changed.", e);
        }
    }
}
