package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Set;

/**
 * The principals of a store and their access keys. A principal has at most two keys and access to one bucket. All methods
 * are idempotent.
 */
interface Principals extends AutoCloseable {

    /**
     * Creates the owner's principal if it does not exist, and restricts it to the bucket before it gets a key.
     *
     * @throws Taken if a principal of that name exists and is not tagged with this owner
     */
    void ensure(StoreCall call, BucketOwner owner, BucketName bucket, Access access);

    /**
     * Changes the access of an existing principal.
     *
     * @throws NotFound if the principal does not exist
     */
    void setAccess(StoreCall call, BucketOwner owner, BucketName bucket, Access access);

    /**
     * Deletes all keys that are not published, then creates one.
     *
     * @throws Invalid if two are published
     * @throws NotFound if the principal does not exist
     */
    AccessKey addKey(StoreCall call, BucketOwner owner, Set<String> publishedKeys);

    /** Deletes all other keys. */
    void keepKeys(StoreCall call, BucketOwner owner, Set<String> keptKeys);

    /**
     * Activates or deactivates all keys.
     *
     * @throws NotFound if the principal does not exist and {@code active} is true
     */
    void setActive(StoreCall call, BucketOwner owner, boolean active);

    /** Deletes the principal, its keys first. Does nothing if it does not exist or has another owner. */
    void delete(StoreCall call, BucketOwner owner);

    @Override
    void close();
}
