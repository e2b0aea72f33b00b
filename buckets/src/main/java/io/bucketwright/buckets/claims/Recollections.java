package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.StoreCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What this process remembers of claims, and which calls to a store are under way for them. */
final class Recollections {

    private final Map<ObjectKey, Recollection> known = new ConcurrentHashMap<>();
    private final Map<ObjectKey, StoreCall> calls = new ConcurrentHashMap<>();

    Recollection of(ObjectKey key) {
        return known.getOrDefault(key, Recollection.none());
    }

    void change(ObjectKey key, UnaryOperator<Recollection> change) {
        known.compute(key, (_, old) -> change.apply(old == null ? Recollection.none() : old));
    }

    void forget(ObjectKey key) {
        known.remove(key);
    }

    /** A call whose answer is not wanted any more once the claim is to go. */
    void begin(ObjectKey key, StoreCall call) {
        calls.put(key, call);
    }

    void end(ObjectKey key, StoreCall call) {
        calls.remove(key, call);
    }

    /** The claim is to go: what is being made for it need not be finished first. */
    void interrupt(ObjectKey key) {
        @Nullable StoreCall call = calls.get(key);
        if (call != null) {
            call.cancel();
        }
    }

    int size() {
        return known.size();
    }
}
