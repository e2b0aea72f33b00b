package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Releases a bucket in place of a claim that no longer exists: deletes the user of the claim, and tags the bucket as released,
 * so that a class can adopt it.
 *
 * @param thisCluster the id of this cluster
 * @param users reads what uses buckets
 * @param waiting called if the service may accept deleted keys for a while
 */
record FormerOwner(
        String thisCluster,
        StoreSource stores,
        BucketClass bucketClass,
        BucketName bucket,
        Supplier<BucketUsers> users,
        Waiting waiting) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Waits that long. */
    interface Waiting {
        void await(Duration duration) throws InterruptedException;
    }

    /**
     * An owner whose access was revoked.
     *
     * @param ending how long the service may accept its keys after that
     */
    private record Revoked(BucketOwner owner, Duration ending) {}

    /**
     * Releases the bucket of a claim of this cluster, if nothing in the cluster uses the bucket.
     *
     * @return the former owner; empty if the bucket has none
     * @throws CommandException if something uses it, or its claim is in another cluster
     */
    Optional<BucketOwner> releaseOrphan() throws InterruptedException {
        return release(former -> {
            if (!former.clusterId().equals(thisCluster)) {
                throw new CommandException("Bucket " + bucket + " belongs to cluster " + former.clusterId()
                        + ", and this is cluster " + thisCluster + ". If that cluster no longer uses it, use"
                        + " --from-cluster " + former.clusterId() + " --yes.");
            }
        });
    }

    /**
     * Releases the bucket of a claim of another cluster, which the caller knows to be lost, if nothing in this cluster uses
     * the bucket: the driver of COSI tags buckets with an id that is not that of its cluster.
     *
     * @throws CommandException if something uses it, or it does not belong to that cluster
     */
    Optional<BucketOwner> releaseFrom(String cluster) throws InterruptedException {
        return release(former -> {
            if (!former.clusterId().equals(cluster)) {
                throw new CommandException(
                        "Bucket " + bucket + " belongs to cluster " + former.clusterId() + ", not to " + cluster + ".");
            }
        });
    }

    /**
     * Revokes before the release: afterwards the tags no longer name the former owner, so a retry could not find its user.
     * After the wait everything is checked again.
     */
    private Optional<BucketOwner> release(Consumer<BucketOwner> check) throws InterruptedException {
        Optional<Revoked> revoked = call(store -> revoke(store, check));
        Duration ending = revoked.map(Revoked::ending).orElse(Duration.ZERO);
        if (ending.isPositive()) {
            waiting.await(ending);
            revoked = call(store -> revoke(store, check));
        }
        Optional<BucketOwner> former = revoked.map(Revoked::owner);
        return call(store -> {
            StoreCall call = StoreCall.within(LIMIT);
            former.ifPresent(owner -> store.run(StoreOperation.RELEASE, call, s -> s.release(call, bucket, owner)));
            return former;
        });
    }

    private Optional<Revoked> revoke(MeasuredStore store, Consumer<BucketOwner> check) {
        Optional<BucketOwner> owner = unused(store).tags().currentOwner();
        owner.ifPresent(check);
        StoreCall call = StoreCall.within(LIMIT);
        owner.ifPresent(former -> store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, former)));
        return owner.map(former -> new Revoked(former, store.store().accessEndsWithin()));
    }

    private ListedBucket unused(MeasuredStore store) {
        StoreCall call = StoreCall.within(LIMIT);
        ListedBucket found = store.call(StoreOperation.FIND_BUCKET, call, s -> s.findBucket(call, bucket))
                .orElseThrow(
                        () -> new CommandException("Bucket " + bucket + " does not exist in the store of StorageClass "
                                + bucketClass.name() + ". `bucketwright bucket list` lists its buckets."));
        // After the tags: whatever began to use the bucket before they were read is found.
        users.get().requireUnused(found.name(), found.tags());
        return found;
    }

    private <T> T call(Function<MeasuredStore, T> work) {
        try {
            return stores.of(bucketClass).use(work);
        } catch (StoreException e) {
            throw new CommandException("Cannot release bucket " + bucket + ": " + e.getMessage(), e);
        }
    }
}
