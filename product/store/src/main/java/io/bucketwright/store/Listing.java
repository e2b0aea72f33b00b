package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import java.util.Optional;

/** A store that finds buckets, whoever owns them: capability LIST. */
public interface Listing extends BucketStore {

    /**
     * A part of the list of all buckets of the store, whoever owns them. A bucket that is created or deleted meanwhile may be
     * missing or listed; every other one is in exactly one part.
     *
     * @param from {@link BucketPage#FIRST}, or where the part before says that this one begins
     */
    BucketPage listBuckets(StoreCall call, String from);

    /** A bucket of the list; empty if it does not exist. Need not know when the bucket was created. */
    Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket);
}
