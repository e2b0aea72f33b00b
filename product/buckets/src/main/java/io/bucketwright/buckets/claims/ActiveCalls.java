package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.StoreCall;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The store calls in progress for claims. A deleted claim cancels its call: nobody needs the result any more. */
final class ActiveCalls implements CacheListener<ObjectBucketClaim> {

    private final Map<ObjectKey, StoreCall> calls = new ConcurrentHashMap<>();

    void begin(ObjectKey key, StoreCall call) {
        calls.put(key, call);
    }

    void end(ObjectKey key, StoreCall call) {
        calls.remove(key, call);
    }

    @Override
    public void changed(ObjectBucketClaim before, ObjectBucketClaim after) {
        if (Metadata.isBeingDeleted(after) && !Metadata.isBeingDeleted(before)) {
            cancel(ObjectKey.of(after));
        }
    }

    @Override
    public void deleted(ObjectBucketClaim last) {
        cancel(ObjectKey.of(last));
    }

    private void cancel(ObjectKey key) {
        Optional.ofNullable(calls.get(key)).ifPresent(StoreCall::cancel);
    }
}
