package io.bucketwright.store.observation;

import java.time.Duration;

/** Receives each call to a store when it has ended. Must not block and must not fail. */
@FunctionalInterface
public interface StoreObserver {

    /**
     * A call has ended.
     *
     * @param store the kind of store, such as {@code s3}
     * @param result {@code ok}, {@code cancelled} if the caller cancelled it, the kind of error, or {@code unexpected} for an
     *     exception that no store may throw
     */
    void called(String store, StoreOperation<?> operation, String result, Duration took);

    /** Ignores the calls. */
    static StoreObserver none() {
        return (_, _, _, _) -> {};
    }
}
