package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Releases a bucket in place of a claim that no longer exists: deletes the user of the claim, and tags the bucket as released,
 * so that a class can adopt it.
 */
record FormerOwner(ClaimClient claims, ClassStores stores, BucketClass bucketClass, BucketName bucket) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Releases the bucket of a claim of this cluster, if nothing in the cluster uses the bucket.
     *
     * @return the former owner; empty if the bucket has none
     * @throws CommandException if something uses it, or its claim is in another cluster
     */
    Optional<BucketOwner> releaseOrphan() {
        return call(store -> {
            Optional<BucketOwner> owner = unused(store).tags().currentOwner();
            String thisCluster = claims.clusterId();
            owner.filter(former -> !former.clusterId().equals(thisCluster)).ifPresent(former -> {
                throw new CommandException("Bucket " + bucket + " belongs to cluster " + former.clusterId()
                        + ", and this is cluster " + thisCluster + ". If that cluster no longer uses it, use"
                        + " --from-cluster " + former.clusterId() + " --yes.");
            });
            owner.ifPresent(former -> release(store, former));
            return owner;
        });
    }

    /**
     * Releases the bucket of a claim of another cluster, which the caller knows to be lost, if nothing in this cluster uses
     * the bucket: the driver of COSI tags buckets with an id that is not that of its cluster.
     *
     * @throws CommandException if something uses it, or it does not belong to that cluster
     */
    Optional<BucketOwner> releaseFrom(String cluster) {
        return call(store -> {
            Optional<BucketOwner> owner = unused(store).tags().currentOwner();
            owner.filter(former -> !former.clusterId().equals(cluster)).ifPresent(former -> {
                throw new CommandException(
                        "Bucket " + bucket + " belongs to cluster " + former.clusterId() + ", not to " + cluster + ".");
            });
            owner.ifPresent(former -> release(store, former));
            return owner;
        });
    }

    private ListedBucket unused(BucketStore store) {
        ListedBucket found = store.findBucket(StoreCall.within(LIMIT), bucket)
                .orElseThrow(
                        () -> new CommandException("Bucket " + bucket + " does not exist in the store of StorageClass "
                                + bucketClass.name() + ". `bucketwright bucket list` lists its buckets."));
        // After the tags: whatever began to use the bucket before they were read is found.
        BucketUsers.read(claims, stores, bucketClass).requireUnused(found.name(), found.tags());
        return found;
    }

    /**
     * Revokes before the release: afterwards the tags no longer name the former owner, so a retry could not find its user.
     */
    private void release(BucketStore store, BucketOwner former) {
        store.revoke(StoreCall.within(LIMIT), bucket, former);
        store.release(StoreCall.within(LIMIT), bucket, former);
    }

    private <T> T call(Function<BucketStore, T> work) {
        try {
            return stores.of(bucketClass).use(work);
        } catch (StoreException e) {
            throw new CommandException("Cannot release bucket " + bucket + ": " + e.getMessage(), e);
        }
    }
}
