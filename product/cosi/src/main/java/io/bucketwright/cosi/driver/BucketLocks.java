package io.bucketwright.cosi.driver;

import io.bucketwright.store.StoreCall;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One call at a time for each bucket. Two concurrent grants for one account would delete each other's key; the second call
 * waits and sees the result of the first.
 */
final class BucketLocks {

    private final Set<String> taken = new HashSet<>();

    /**
     * Runs the work as soon as no other call holds the lock of the key.
     *
     * @throws io.bucketwright.store.errors.StoreException.Unavailable if that takes longer than the call may
     */
    <R> R inTurn(String key, StoreCall call, Supplier<R> work) {
        call.interruptible(() -> {
            await(key, call);
            return key;
        });
        return thenNext(key, work);
    }

    /** Runs the work unless another call holds the lock of the key. */
    <R> Optional<R> ifFree(String key, Supplier<R> work) {
        synchronized (taken) {
            if (!taken.add(key)) {
                return Optional.empty();
            }
        }
        return Optional.of(thenNext(key, work));
    }

    private void await(String key, StoreCall call) {
        synchronized (taken) {
            while (!taken.add(key)) {
                call.check();
                try {
                    taken.wait(Math.max(1, call.remaining().toMillis()));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    call.check();
                }
            }
        }
    }

    private <R> R thenNext(String key, Supplier<R> work) {
        try {
            return work.get();
        } finally {
            synchronized (taken) {
                taken.remove(key);
                taken.notifyAll();
            }
        }
    }
}
