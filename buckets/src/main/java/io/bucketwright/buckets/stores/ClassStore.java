package io.bucketwright.buckets.stores;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.errors.StoreException;
import java.util.function.Function;

/** The store of one class. */
public interface ClassStore {

    /** Equal for classes that share a store and its administrator. */
    Object identity();

    /** Equal for classes in which one bucket name means one bucket, whoever the administrator is. */
    Object location();

    /**
     * Opens the store if necessary and keeps it open during the call.
     *
     * @throws StoreException if the store cannot be opened, or from the call itself
     */
    <R> R use(Function<BucketStore, R> call);
}
