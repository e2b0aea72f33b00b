package io.bucketwright.store.s3.identity;

import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.util.Set;

/**
 * The principals of a store and their access keys. A principal has one owner, access to one bucket and at most two keys. All
 * methods are idempotent and continue after a crash at any request.
 */
public interface Principals extends AutoCloseable {

    /**
     * Reads the owner's principal and changes nothing.
     *
     * @throws Taken if a principal of that name exists and is not tagged with this owner
     */
    void check(StoreCall call, BucketName bucket, BucketOwner owner);

    /**
     * What the owner's principal lacks, with few read requests; the bucket exists.
     *
     * @param keys ids of the keys that applications use
     */
    default Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        return Set.of();
    }

    /**
     * Checks that a principal can have this access, before anything is created.
     *
     * @throws Unsupported if it cannot
     * @throws Invalid if an action does not exist, or nothing is allowed
     */
    default void checkAccess(StoreCall call, BucketName bucket, Access access) {
        if (access.mode() != AccessMode.NONE) {
            String _ = AccessPolicy.document(bucket, access);
        }
    }

    /** Whether a principal cannot use buckets of other accounts of the store, whatever those allow. */
    default boolean deniesOtherAccounts() {
        return false;
    }

    /**
     * Changes the access of an existing principal.
     *
     * @throws NotFound if the principal does not exist
     */
    void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access);

    /**
     * Creates the owner's principal if it does not exist, and restricts it to the bucket before it gets a key. Deletes all
     * keys that are not published, then creates one.
     *
     * @throws Taken if a principal of that name exists and is not tagged with this owner
     * @throws Invalid if two keys are published
     */
    Credentials.AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys);

    /**
     * Deletes all other keys.
     *
     * @throws NotFound if the principal does not exist
     */
    void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys);

    /**
     * Activates or deactivates all keys.
     *
     * @throws NotFound if the principal does not exist and {@code active} is true
     */
    void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active);

    /**
     * Deletes the principal, its keys first. Does nothing if it does not exist, or if it names the same uid in another
     * cluster: a restored backup must not end the keys of the cluster that it came from. Keys that only this owner can have
     * are deleted in any case.
     *
     * @param keys ids of the keys that were published for this owner
     * @throws Denied if a principal of that name names anybody else, or nobody; only these keys are deleted then
     * @throws Unavailable if the store keeps the principal; its keys are deleted then
     */
    void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys);

    /** Deletes the principal of an owner whose keys are not known. */
    default void delete(StoreCall call, BucketName bucket, BucketOwner owner) {
        delete(call, bucket, owner, Set.of());
    }

    @Override
    void close();
}
