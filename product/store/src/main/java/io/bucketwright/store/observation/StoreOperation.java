package io.bucketwright.store.observation;

import io.bucketwright.store.Adopting;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Listing;
import io.bucketwright.store.Measuring;
import io.bucketwright.store.Rotating;
import io.bucketwright.store.errors.StoreException.Unsupported;

/**
 * A method of a store that sends requests.
 *
 * @param text as in metrics: in lower case, words joined by a hyphen
 * @param type the interface that has the method
 */
public record StoreOperation<S extends BucketStore>(String text, Class<S> type) {
    public static final StoreOperation<BucketStore> PROVISION = new StoreOperation<>("provision", BucketStore.class);
    public static final StoreOperation<BucketStore> GRANT = new StoreOperation<>("grant", BucketStore.class);
    public static final StoreOperation<BucketStore> DELETE = new StoreOperation<>("delete", BucketStore.class);
    public static final StoreOperation<BucketStore> REVOKE = new StoreOperation<>("revoke", BucketStore.class);
    public static final StoreOperation<BucketStore> CHECK = new StoreOperation<>("check", BucketStore.class);
    public static final StoreOperation<BucketStore> UPDATE = new StoreOperation<>("update", BucketStore.class);
    public static final StoreOperation<BucketStore> CHECK_CLUSTER =
            new StoreOperation<>("check-cluster", BucketStore.class);
    public static final StoreOperation<BucketStore> VERIFY = new StoreOperation<>("verify", BucketStore.class);
    public static final StoreOperation<Rotating> RETIRE = new StoreOperation<>("retire", Rotating.class);
    public static final StoreOperation<Rotating> SUSPEND = new StoreOperation<>("suspend", Rotating.class);
    public static final StoreOperation<Rotating> UNSUSPEND = new StoreOperation<>("unsuspend", Rotating.class);
    public static final StoreOperation<Adopting> ERASE = new StoreOperation<>("erase", Adopting.class);
    public static final StoreOperation<Adopting> RELEASE = new StoreOperation<>("release", Adopting.class);
    public static final StoreOperation<Adopting> ADOPT = new StoreOperation<>("adopt", Adopting.class);
    public static final StoreOperation<Adopting> TRANSFER = new StoreOperation<>("transfer", Adopting.class);
    public static final StoreOperation<Listing> LIST_BUCKETS = new StoreOperation<>("list-buckets", Listing.class);
    public static final StoreOperation<Listing> FIND_BUCKET = new StoreOperation<>("find-bucket", Listing.class);
    public static final StoreOperation<Measuring> USAGE = new StoreOperation<>("usage", Measuring.class);

    /** The store as one that has the method. */
    S of(BucketStore store) {
        if (!type.isInstance(store)) {
            throw new Unsupported("This store does not support the operation " + text + ".");
        }
        return type.cast(store);
    }
}
