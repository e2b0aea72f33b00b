package io.bucketwright.store.observation;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store, and who observes the calls to it. A caller names the operation of each call.
 *
 * @param kind the kind of store, such as {@code s3}
 */
public record MeasuredStore(String kind, BucketStore store, StoreObserver observer) {

    public Set<Capability> capabilities() {
        return store.capabilities();
    }

    /** Calls the store and reports the call when it has ended: {@code ok}, the kind of error, or {@code cancelled}. */
    public <S extends BucketStore, R> R call(StoreOperation<S> operation, StoreCall call, Function<S, R> act) {
        long start = System.nanoTime();
        String result = "unexpected";
        try {
            R answer = act.apply(operation.of(store));
            result = "ok";
            return answer;
        } catch (StoreException e) {
            result = call.cancelled() ? "cancelled" : result(e);
            throw e;
        } finally {
            observer.called(kind, operation, result, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** As {@link #call}, without a result. */
    public <S extends BucketStore> void run(StoreOperation<S> operation, StoreCall call, Consumer<S> act) {
        boolean _ = call(operation, call, called -> {
            act.accept(called);
            return true;
        });
    }

    private static String result(StoreException error) {
        return switch (error) {
            case StoreException.Invalid _ -> "invalid";
            case StoreException.Denied _ -> "denied";
            case StoreException.Taken _ -> "taken";
            case StoreException.NotFound _ -> "not-found";
            case StoreException.NotEmpty _ -> "not-empty";
            case StoreException.Unavailable _ -> "unavailable";
            case StoreException.Unsupported _ -> "unsupported";
        };
    }
}
