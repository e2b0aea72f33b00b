package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
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

    /** The buckets with a write that the gateway did not confirm, and when it confirmed a later request, if it did. */
    private final Map<BucketName, Optional<Long>> unconfirmed = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    BucketLocks() {
        this(System::nanoTime);
    }

    BucketLocks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Writes what was read and changed, after a request that the gateway has confirmed. What the gateway did not confirm, it
     * may carry out later, and so undo what was written since for others.
     *
     * @throws Unavailable if that is still possible
     */
    void write(BucketName bucket, Runnable request) {
        requireSettled(bucket);
        try {
            request.run();
        } catch (Unavailable unknown) {
            unconfirmed.put(bucket, Optional.empty());
            throw unknown;
        }
    }

    private void requireSettled(BucketName bucket) {
        if (!unconfirmed.containsKey(bucket)) {
            return;
        }
        long now = nanoTime.getAsLong();
        long since = unconfirmed
                .merge(bucket, Optional.of(now), (known, first) -> known.or(() -> first))
                .orElse(now);
        Duration left = StoreCall.LATE.minusNanos(now - since);
        if (left.isPositive()) {
            throw new Unavailable(
                    "The store did not confirm a change of the policy of the bucket " + bucket
                            + ", and may still carry it out. The next change waits for that.",
                    left);
        }
        unconfirmed.remove(bucket);
    }

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
