package io.bucketwright.cosi.driver;

import io.bucketwright.store.StoreCall;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One call at a time for each bucket. Two grants for one account at once would each take the other's key away; what
 * comes second here finds what the first has done.
 */
final class BucketLocks {

    private final Set<String> taken = new HashSet<>();

    /**
     * Does the work when nobody else works on the same.
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

    /** Does the work unless somebody else works on the same. */
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
