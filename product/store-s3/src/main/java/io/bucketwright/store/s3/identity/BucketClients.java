package io.bucketwright.store.s3.identity;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.OwningUser;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The S3 clients that act on buckets. In most stores the administrator's credentials can use every bucket. Where they cannot,
 * each bucket has an account of its own in the store, whose credentials no application gets.
 */
public interface BucketClients extends AutoCloseable {

    /**
     * The client that acts on an existing bucket; one with the administrator's credentials if the bucket does not exist, or
     * the store needs no accounts.
     *
     * @throws Unavailable if the account that owns the bucket has no credentials: nothing is known of such a bucket
     */
    S3Client find(StoreCall call, BucketName bucket);

    /** As {@link #find}; empty if the account that owns the bucket has no credentials. */
    default Optional<S3Client> findUsable(StoreCall call, BucketName bucket) {
        return Optional.of(find(call, bucket));
    }

    /**
     * The client that creates the bucket. Creates the account of the bucket, if the store needs one and the options name
     * none.
     */
    S3Client create(StoreCall call, ProvisionRequest request);

    /**
     * Checks that the user whom an option names owns the bucket.
     *
     * @throws Invalid if another one does
     */
    default void requireOwner(StoreCall call, BucketName bucket, OwningUser user) {
        throw new Unsupported("This store cannot choose the owner of a bucket.");
    }

    /** Whether {@link #list} is supported. */
    default boolean lists() {
        return false;
    }

    /**
     * A part of the names of all buckets.
     *
     * @param from empty for the first part, or what the part before returned
     */
    default BucketNames list(StoreCall call, String from) {
        throw new Unsupported("This store cannot list buckets.");
    }

    /**
     * Whether the account that owns the bucket was created for this owner: then nobody else can have created the bucket.
     * False if the store needs no accounts.
     */
    default boolean isCreatedFor(StoreCall call, BucketName bucket, BucketOwner owner) {
        return false;
    }

    /** What the store itself knows about the usage of a bucket; empty if it must be counted. */
    default Optional<Usage> usage(StoreCall call, BucketName bucket) {
        return Optional.empty();
    }

    /**
     * What the store measured itself some time ago. Asked for a bucket that has too many objects to be counted; empty if
     * nothing is known.
     */
    default Optional<Usage> measuredUsage(StoreCall call, BucketName bucket) {
        return Optional.empty();
    }

    /** Deletes the account of a bucket that was deleted, if it has one. Succeeds if it no longer exists. */
    void deleted(StoreCall call, BucketName bucket, BucketOwner owner);

    /** The policies of buckets, with such a client. */
    default PolicyDocuments policies(S3Client s3) {
        return new PolicyRequests(s3);
    }

    @Override
    void close();
}
