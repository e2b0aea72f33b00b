package io.bucketwright.store.s3;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Set;

/**
 * The principals of a store and their keys. Each has at most two keys, may do what its access says with one bucket, and
 * nothing else. All methods can be repeated.
 */
interface Identities extends AutoCloseable {

    /**
     * Makes the owner's principal or finds it, and limits it to the bucket before it has a key.
     *
     * @throws Taken if a principal of that name is there and is not the owner's
     */
    void ensure(StoreCall call, BucketOwner owner, BucketName bucket, Access access);

    /**
     * Limits a principal that is there to another access.
     *
     * @throws NotFound if it is not there
     */
    void limit(StoreCall call, BucketOwner owner, BucketName bucket, Access access);

    /**
     * Deletes all keys but the published ones, then makes one.
     *
     * @throws Invalid if two are published
     * @throws NotFound if the principal is not there
     */
    AccessKey addKey(StoreCall call, BucketOwner owner, Set<String> publishedKeys);

    /** Deletes all keys but these. */
    void keepKeys(StoreCall call, BucketOwner owner, Set<String> keptKeys);

    /**
     * Turns all keys on or off.
     *
     * @throws NotFound if the principal is not there, and they are to be on
     */
    void enable(StoreCall call, BucketOwner owner, boolean on);

    /** Deletes the principal, its keys first. One that is not there or not the owner's is left alone. */
    void remove(StoreCall call, BucketOwner owner);

    @Override
    void close();
}
