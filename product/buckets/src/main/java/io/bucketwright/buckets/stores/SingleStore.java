package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.observation.MeasuredStore;
import java.util.function.BiFunction;

/** The same store for every class. The caller who provided it also closes it. */
public record SingleStore(MeasuredStore store) implements StoreSource, ClassStore {

    /** Ignores the parameters of the class: those of the store are for its author to check. */
    @Override
    public ClassStore of(BucketClass bucketClass) {
        return this;
    }

    @Override
    public Object location() {
        return store.store();
    }

    @Override
    public <R> R use(BiFunction<MeasuredStore, String, R> call) {
        return call.apply(store, "");
    }

    @Override
    public void close() {
        // The caller closes the store.
    }
}
