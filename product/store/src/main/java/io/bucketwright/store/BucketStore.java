package io.bucketwright.store;

import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.ParameterSchema;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * An object store: buckets that are tagged with their {@link BucketOwner}, and principals, one for each owner, each with
 * access to one bucket.
 *
 * <p>Every method is idempotent. It can be called again with the same arguments, from several threads and processes, and
 * after a call that failed or timed out. It reads the current state of the store and continues from there; an instance of
 * this interface keeps no state. A call ends within the limit of its {@link StoreCall}; longer operations run in slices.
 *
 * <p>Every method may throw {@link Unavailable} if the store does not respond, and {@link Denied} if it rejects the
 * administrator's credentials; only other errors are listed below. Messages contain no secrets.
 *
 * <p>An author must implement the first four methods; {@link Rotating}, {@link Adopting}, {@link Listing} and {@link Measuring}
 * are optional. The module {@code store-contract} tests the rules stated here.
 */
public interface BucketStore extends AutoCloseable {

    /**
     * Creates a bucket that is tagged with its owner, and a principal with access to it. If the bucket exists and is tagged
     * with this owner, continues with it. If it is tagged with the same claim, namespace uid and cluster and another uid, that
     * claim was created again: replaces the owner, keeps the stricter reclaim policy of both in the tags, and deletes its
     * principal. Deletes credentials of the principal that are not published, then creates new
     * ones: the result always has new credentials, unless the access is {@link AccessMode#NONE}. They are never the
     * administrator's.
     *
     * @throws Taken if a bucket of that name exists and is not tagged with this owner
     * @throws Invalid if the store rejects a name or an option, or two credentials are published already
     * @throws Unsupported if the store does not support an option or the access
     */
    ProvisionedBucket provision(StoreCall call, ProvisionRequest request);

    /**
     * Creates a principal with access to an existing bucket if it does not exist, and new credentials as {@link #provision}
     * does: published ones stay valid, so that this is also how credentials are rotated. Does not change the bucket.
     *
     * @throws NotFound if the bucket does not exist
     * @throws Taken if a principal of that name exists and is not tagged with this owner
     * @throws Invalid if two credentials are published already
     * @throws Unsupported if the store does not support the access
     */
    ProvisionedBucket grant(StoreCall call, GrantRequest request);

    /**
     * Deletes a bucket that is tagged with its owner, and the owner's principal. Succeeds if they no longer exist.
     *
     * @return {@link Progress.More} if the caller must call again
     * @throws NotEmpty if the bucket is not empty and the request does not allow to purge it; the principal is kept too
     * @throws Taken if a bucket of that name exists and is not tagged with this owner, or its tags do not allow the deletion
     *     ({@link OwnershipTags#isReclaimableBy}). The bucket is not changed; the principal is deleted
     */
    Progress delete(StoreCall call, DeleteRequest request);

    /**
     * Deletes the owner's principal and its credentials, and keeps the bucket. Succeeds if they no longer exist. If a
     * principal of that name exists and names no owner any more, it is not deleted, and the published credentials are.
     *
     * @param keys ids of the credentials that were published for this owner
     * @throws Denied if a principal of that name exists and it is not known whether it is tagged with this owner
     */
    void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys);

    /**
     * How long a service may accept credentials that {@link #revoke} has deleted, according to its documentation. A caller
     * that gives the bucket to another owner waits that long, and revokes again, before it erases or releases the bucket.
     */
    default Duration accessEndsWithin() {
        return Duration.ZERO;
    }

    /** Revokes the access of an owner whose credentials are not known. */
    default void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
        revoke(call, bucket, owner, Set.of());
    }

    /**
     * Checks with read requests that {@link #provision} or {@link #grant} can reach everything it needs with these
     * credentials. Changes nothing. The caller records nothing before this check succeeded, so that something which never
     * reached the store can be deleted without it.
     *
     * @throws Taken if the bucket belongs to another account, or the principal to another owner
     */
    default void check(StoreCall call, BucketName bucket, BucketOwner owner) {}

    /**
     * What this store supports in addition to the four methods above: what it {@linkplain #supportedOptions() declares}, and
     * the optional interfaces that it implements.
     */
    default Set<Capability> capabilities() {
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        all.addAll(supportedOptions());
        if (this instanceof Rotating) {
            all.addAll(Set.of(Capability.ROTATE, Capability.SUSPEND));
        }
        if (this instanceof Adopting) {
            all.addAll(Set.of(Capability.RELEASE, Capability.ERASE));
        }
        if (this instanceof Listing) {
            all.add(Capability.LIST);
        }
        if (this instanceof Measuring) {
            all.add(Capability.USAGE);
        }
        return all;
    }

    /** The options of buckets and the kinds of access that this store supports. */
    default Set<Capability> supportedOptions() {
        return Set.of();
    }

    /**
     * Options that a claim can set for this store only, all of them optional. A claim sets them in {@code additionalConfig} if
     * its class allows them with {@code store:NAME}; {@link ProvisionRequest#storeOptions} has the valid values.
     */
    default ParameterSchema claimOptions() {
        return ParameterSchema.of();
    }

    /**
     * Whether applications can connect with TLS. A store that cannot tell before it provisions a bucket returns true; the
     * connection of the bucket is then checked.
     */
    default boolean offersTls() {
        return true;
    }

    /**
     * Removes and sets options of a bucket, in this order, and sets the access of its principal.
     *
     * @throws Taken if options are set or removed and the bucket is not tagged with this owner
     * @throws NotFound if the bucket or the principal does not exist
     * @throws Invalid if the store rejects a value
     * @throws Unsupported if the store does not support one of them
     */
    default void update(StoreCall call, UpdateRequest request) {
        throw new Unsupported("This store cannot change buckets.");
    }

    /**
     * Checks that the bucket does not belong to another cluster: that it is not tagged with this owner's uid and another
     * cluster id. Such a bucket needs a {@link Adopting#transfer} first. Every other bucket passes, also one that does not exist.
     *
     * @throws Taken if the bucket belongs to another cluster
     */
    default void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {}

    /**
     * What a bound owner needs and the store no longer has, because somebody removed it there, or because the bucket has
     * another owner now. Is called again and again for each bucket, so it sends as few read requests as possible; a store
     * finds out what is cheap to find out.
     *
     * @param keys ids of the credentials that applications use
     */
    default Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        if (this instanceof Listing store && capabilities().contains(Capability.LIST)) {
            return store.findBucket(call, bucket)
                    .map(found -> MissingPart.of(found.tags(), owner))
                    .orElse(Set.of(MissingPart.BUCKET));
        }
        return Set.of();
    }

    /** Verifies an owner whose credentials are not known. */
    default Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner) {
        return verify(call, bucket, owner, Set.of());
    }

    /** Closes connections. Calls in flight may fail. */
    @Override
    default void close() {}
}
