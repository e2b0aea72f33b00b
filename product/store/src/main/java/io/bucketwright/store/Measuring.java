package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotFound;

/** A store that knows how much a bucket contains: capability USAGE. */
public interface Measuring extends BucketStore {

    /**
     * Counts the objects of a bucket and their size. May stop early; the result then is not complete.
     *
     * @throws NotFound if the bucket does not exist
     */
    Usage usage(StoreCall call, BucketName bucket);
}
