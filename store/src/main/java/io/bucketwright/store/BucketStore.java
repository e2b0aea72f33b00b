package io.bucketwright.store;

import io.bucketwright.store.connection.ProvisionedBucket;

import io.bucketwright.store.connection.Credentials;

import io.bucketwright.store.options.Capability;

import io.bucketwright.store.access.AccessMode;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.util.Set;

/**
 * An object store, as Bucketwright sees it: buckets that bear the mark of their {@link BucketOwner}, and principals, one for
 * each owner, that are limited to one bucket each.
 *
 * <p>Every method can be called again with the same arguments, at any time, from several threads, and after a call that
 * failed or never came back: it goes on from what it finds, and what it finds is enough to know. A store keeps no memory
 * of its own. It holds up its caller for no longer than the {@link StoreCall} allows; what takes longer is done in slices.
 *
 * <p>Every method may throw {@link Unavailable} if the store does not answer, and {@link Denied} if it refuses the
 * administrator's credentials; only other errors are listed below. No secret is in any message.
 *
 * <p>The first four methods are all that an author must write. {@code store-contract} tests what is said here. Please
 * keep this interface small.
 */
public interface BucketStore extends AutoCloseable {

    /**
     * Makes a bucket with the owner's mark, and a principal limited to it. If the bucket is there with the owner's mark,
     * goes on with it. Credentials of the principal that are not published are deleted, then one is made: the answer
     * always has a new one, unless the access is {@link AccessMode#NONE}. The administrator's are never handed out.
     *
     * @throws Taken if a bucket of that name is there that does not provably belong to the owner
     * @throws Invalid if the store does not take a name or an option, or two credentials are published already
     * @throws Unsupported if the store cannot do an option or an access
     */
    ProvisionedBucket provision(StoreCall call, ProvisionRequest request);

    /**
     * Makes a principal that is limited to a bucket that is there, otherwise as {@link #provision}. Changes nothing
     * about the bucket.
     *
     * @throws NotFound if there is no such bucket
     * @throws Taken if a principal of that name is there and is not the owner's
     * @throws Invalid if two credentials are published already
     * @throws Unsupported if the store cannot do the access
     */
    ProvisionedBucket grant(StoreCall call, GrantRequest request);

    /**
     * Deletes a bucket that bears the owner's mark, and the owner's principal. What is gone is no error.
     *
     * @return {@link Progress.More} if it must be called again
     * @throws NotEmpty if the bucket holds something and the request says to block; then the principal stays too
     * @throws Taken if a bucket of that name is there without the owner's mark. It is left alone; the principal is gone
     *     by then, so that nothing of the owner's is left, and a caller who wanted just that is done
     */
    Progress delete(StoreCall call, DeleteRequest request);

    /** Deletes the owner's principal and its credentials, at once; the bucket stays. What is gone is no error. */
    void revoke(StoreCall call, BucketName bucket, BucketOwner owner);

    /** What this store can do beside the four methods above. */
    default Set<Capability> capabilities() {
        return Set.of();
    }

    /**
     * Makes a second credential for the owner's principal; the published one stays valid. Credentials that are not
     * published are deleted first, so that there are never three.
     *
     * @throws NotFound if the principal is not there
     */
    default Credentials rotate(StoreCall call, RotateRequest request) {
        throw new Unsupported("This store cannot rotate credentials.");
    }

    /** Ends a rotation: deletes all credentials of the owner's principal but those to keep. */
    default void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        throw new Unsupported("This store cannot rotate credentials.");
    }

    /**
     * Empties a bucket and keeps it.
     *
     * @return {@link Progress.More} if it must be called again
     * @throws Taken if the bucket does not bear the owner's mark
     * @throws NotFound if there is no such bucket
     */
    default Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new Unsupported("This store cannot erase buckets.");
    }

    /** Withdraws the owner's access until {@link #unsuspend}; principal, bucket and data stay. */
    default void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new Unsupported("This store cannot suspend access.");
    }

    /**
     * Gives back what {@link #suspend} withdrew, with the same credentials.
     *
     * @throws NotFound if the principal is not there
     */
    default void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new Unsupported("This store cannot suspend access.");
    }

    /**
     * Sets options of a bucket, and what its principal may do.
     *
     * @throws Taken if there are options and the bucket does not bear the owner's mark
     * @throws NotFound if there is no such bucket or principal
     * @throws Invalid if the store does not take a value
     * @throws Unsupported if the store cannot do one of them
     */
    default void update(StoreCall call, UpdateRequest request) {
        throw new Unsupported("This store cannot change buckets.");
    }

    /**
     * Counts what a bucket holds, gently: it may stop early and say so.
     *
     * @throws NotFound if there is no such bucket
     */
    default Usage usage(StoreCall call, BucketName bucket) {
        throw new Unsupported("This store cannot tell how much a bucket holds.");
    }

    /**
     * Takes the owner's mark off a bucket and notes whose it was, so that it can be adopted. A bucket that is gone is no
     * error.
     *
     * @throws Taken if the bucket bears another mark
     */
    default void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new Unsupported("This store cannot release buckets.");
    }

    /**
     * Notes on a bucket that the owner has adopted it. It stays an existing bucket for ever: {@link #delete} and
     * {@link #erase} refuse it, {@link #release} frees it for the next.
     *
     * @throws Taken if the bucket bears a mark of another owner, or none and the request does not allow that
     * @throws NotFound if there is no such bucket
     */
    default void adopt(StoreCall call, AdoptRequest request) {
        throw new Unsupported("This store cannot adopt buckets.");
    }

    /** Lets go of connections; calls under way may fail. */
    @Override
    default void close() {}
}
