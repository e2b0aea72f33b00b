package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.errors.StoreException.Invalid;

/** Provides the store of a class. */
public interface StoreSource extends AutoCloseable {

    /**
     * The store of a class, which need not be open yet. Sends no request.
     *
     * @throws Invalid naming the class parameter that is wrong
     */
    ClassStore of(BucketClass bucketClass);

    @Override
    void close();
}
