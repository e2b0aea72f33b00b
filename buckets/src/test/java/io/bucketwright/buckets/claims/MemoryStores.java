package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.MemoryStore;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.buckets.stores.StoreSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One store in memory for each value of the class parameter {@code endpoint}. */
final class MemoryStores implements StoreSource {

    private final Map<String, MemoryStore> stores = new ConcurrentHashMap<>();

    /** The store of classes without an endpoint. */
    MemoryStore first() {
        return at("");
    }

    MemoryStore at(String endpoint) {
        return stores.computeIfAbsent(endpoint, _ -> new MemoryStore());
    }

    @Override
    public ClassStore of(BucketClass bucketClass) {
        return new SingleStore(at(bucketClass.reference().parameters().getOrDefault("endpoint", "")));
    }

    @Override
    public void close() {
        // The stores are in memory.
    }
}
