package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.BucketStore;
import java.util.function.Function;

/** The same store for every class. It belongs to whoever gave it, who also closes it. */
public record OneStore(BucketStore store) implements StoreSource {

    @Override
    public void check(BucketClass bucketClass) {
        // Parameters beyond the controller's own are the author's affair.
    }

    @Override
    public <R> R with(BucketClass bucketClass, Function<BucketStore, R> use) {
        return use.apply(store);
    }

    @Override
    public Object identity(BucketClass bucketClass) {
        return store;
    }

    @Override
    public void close() {
        // Not ours.
    }
}
