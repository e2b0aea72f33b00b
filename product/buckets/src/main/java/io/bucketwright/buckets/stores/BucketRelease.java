package io.bucketwright.buckets.stores;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.Capability;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The calls that end the use of one bucket. A bucket that does not exist, or is not tagged with its owner, is left alone, so
 * that the claim can be deleted; this is reported, because what its reclaim policy promises did not happen.
 *
 * @param notOwned receives the reason why the bucket was left alone
 */
public record BucketRelease(
        MeasuredStore store, StoreCall call, BucketName bucket, BucketOwner owner, Consumer<StoreException> notOwned) {

    /**
     * Deletes the bucket. One that a former claim of it had to keep is closed and released instead.
     *
     * @param opening the options that may have opened the bucket
     * @param accessEnded whether the service refuses the former credentials now
     * @return empty if the bucket is kept, and was not released
     */
    public Optional<Progress> delete(DeleteRequest request, AppliedOptions opening, boolean accessEnded) {
        try {
            return Optional.of(store.call(StoreOperation.DELETE, call, s -> s.delete(call, request)));
        } catch (Taken | NotFound kept) {
            return kept(kept, opening, request.last(), accessEnded);
        }
    }

    /**
     * Erases the bucket, and releases it then. Nobody has access to it any more.
     *
     * @param last whether no late request can open the bucket after this call
     */
    public Progress erase(boolean last) {
        try {
            Progress progress = store.call(StoreOperation.ERASE, call, s -> s.erase(call, bucket, owner));
            return progress instanceof Progress.Done && last ? release() : progress;
        } catch (Taken | NotFound kept) {
            return kept(kept, AppliedOptions.NONE, last, true).orElse(new Progress.Done());
        }
    }

    private Optional<Progress> kept(StoreException why, AppliedOptions opening, boolean last, boolean accessEnded) {
        Optional<OwnershipTags> tags = tags();
        if (tags.filter(found -> found.isReleasedBy(owner)).isPresent()) {
            return Optional.of(new Progress.Done());
        }
        boolean ofOthers = tags.filter(found -> !found.isOwnedBy(owner)).isPresent();
        // Reported once, also if the bucket can neither be closed nor released.
        BucketRelease silent = new BucketRelease(store, call, bucket, owner, _ -> {});
        Progress done = ofOthers ? new Progress.Done() : silent.close(opening);
        if (!ofOthers && !(last && accessEnded)) {
            return Optional.empty();
        }
        if (last) {
            notOwned.accept(why);
        }
        return Optional.of(ofOthers ? done : silent.release());
    }

    /** The tags of the bucket; empty if it does not exist, or the store does not tell. */
    private Optional<OwnershipTags> tags() {
        return store.capabilities().contains(Capability.LIST) ? tags(store, call, bucket) : Optional.empty();
    }

    /** The tags of a bucket in a store with {@link Capability#LIST}; empty if it does not exist. */
    public static Optional<OwnershipTags> tags(MeasuredStore store, StoreCall call, BucketName bucket) {
        return store.call(StoreOperation.FIND_BUCKET, call, s -> s.findBucket(call, bucket))
                .map(ListedBucket::tags);
    }

    /**
     * Ends all access: that of the principal, and that of others as far as options opened the bucket.
     *
     * @param keys ids of the credentials that were published
     */
    public Progress revoke(Set<String> keys, AppliedOptions opening) {
        store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, owner, keys));
        return close(opening);
    }

    /** As {@link #revoke}, and keeps the principal; one that is not known to be the owner's cannot be suspended. */
    public Progress suspend(Set<String> keys, AppliedOptions opening) {
        try {
            store.run(StoreOperation.SUSPEND, call, s -> s.suspend(call, bucket, owner));
        } catch (Taken unproven) {
            store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, owner, keys));
        }
        return close(opening);
    }

    /** Removes the options that give others access to the bucket. */
    public Progress close(AppliedOptions opening) {
        return opening.isEmpty() || store.capabilities().stream().noneMatch(opening.kinds()::contains)
                ? new Progress.Done()
                : unlessNotOwned(
                        StoreOperation.UPDATE, s -> s.update(call, UpdateRequest.removing(bucket, owner, opening)));
    }

    /** Lets others adopt the bucket. */
    public Progress release() {
        return store.capabilities().contains(Capability.RELEASE)
                ? unlessNotOwned(StoreOperation.RELEASE, s -> s.release(call, bucket, owner))
                : new Progress.Done();
    }

    private <S extends BucketStore> Progress unlessNotOwned(StoreOperation<S> operation, Consumer<S> act) {
        try {
            store.run(operation, call, act);
        } catch (Taken | NotFound e) {
            // If an earlier process released the bucket, and ended before it could remember that, there is nothing to
            // do.
            if (tags().filter(found -> found.isReleasedBy(owner)).isEmpty()) {
                notOwned.accept(e);
            }
        }
        return new Progress.Done();
    }
}
