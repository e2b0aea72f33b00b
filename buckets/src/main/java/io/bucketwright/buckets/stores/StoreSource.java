package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.function.Function;

/** Gives the store that a class speaks of. */
public interface StoreSource extends AutoCloseable {

    /**
     * Checks, without a request, what a class says to its store.
     *
     * @throws Invalid naming the parameter that is wrong
     */
    void check(BucketClass bucketClass);

    /**
     * Does one thing with the store, which is open meanwhile.
     *
     * @throws StoreException if it cannot be opened, or by what is done
     */
    <R> R with(BucketClass bucketClass, Function<BucketStore, R> use);

    /** Tells stores from each other; equal for classes that share one. */
    Object identity(BucketClass bucketClass);

    @Override
    void close();
}
