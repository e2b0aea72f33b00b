package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.BucketRelease;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Releases a bucket in place of a claim that no longer exists, so that a claim of a class with adoptOrphans can adopt it. A
 * bucket is given away only if every doubt is excluded: whoever gets it reads the data of the former owner, and the keys of
 * that owner stop working.
 *
 * @param visible the namespaces whose claims this process sees
 * @param adopting the buckets that are being adopted: stores read the tags and then write them, so only one claim may do so at
 *     a time
 * @param revoked when the access of a former owner was revoked, whose bucket is not released yet
 */
record OrphanAdoption(
        ClaimCaches caches,
        ObjectReader reader,
        Predicate<String> visible,
        BucketSharing sharing,
        TimeSource time,
        Set<String> adopting,
        Map<BucketOwner, Moment> revoked) {

    /**
     * Adopts the bucket, after a former owner that no longer exists was replaced.
     *
     * @param mayBeOrphan whether the class allows to adopt a bucket that nobody released
     * @return the former owner that was replaced, to be reported
     */
    Optional<BucketOwner> adopt(MeasuredStore store, StoreCall call, AdoptRequest request, boolean mayBeOrphan) {
        BucketName bucket = request.bucket();
        if (!adopting.add(bucket.text())) {
            throw new Unavailable("Another claim is adopting the bucket " + bucket + " at this moment.");
        }
        try {
            Optional<BucketOwner> former = mayBeOrphan ? release(store, call, request) : Optional.empty();
            store.run(StoreOperation.ADOPT, call, s -> s.adopt(call, request));
            return former;
        } finally {
            adopting.remove(bucket.text());
        }
    }

    /**
     * Deletes the user of the former claim and tags the bucket as released, if that claim no longer exists. Does nothing if
     * no other claim owns the bucket.
     *
     * @throws ClaimProblemException if it is not proven that the former owner no longer exists, other claims have access to
     *     the bucket, or the class does not allow its adoption
     * @throws Unavailable if the service may still accept the deleted keys of the former owner
     * @return the former owner; empty if there was nothing to release
     */
    private Optional<BucketOwner> release(MeasuredStore store, StoreCall call, AdoptRequest request) {
        BucketName bucket = request.bucket();
        Optional<OwnershipTags> tags = BucketRelease.tags(store, call, bucket);
        Optional<BucketOwner> found = tags.flatMap(read -> former(request, read, visible));
        if (found.isEmpty()) {
            return found;
        }
        BucketOwner former = found.get();
        sharing.others(call, bucket, former).ifPresent(others -> {
            throw refused(
                    bucket,
                    "is not adopted. Its claim no longer exists, but " + others.number()
                            + (others.number() == 1 ? " other claim has" : " other claims have") + " access to it.");
        });
        existing(bucket, former, tags.get().claimOrNone(), request.owner()).ifPresent(why -> {
            throw refused(bucket, why + ".");
        });
        // Revoke before the release: afterwards the tags no longer name the former owner, so a retry could not find its
        // user.
        store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, former));
        requireAccessEnded(store.store().accessEndsWithin(), bucket, former);
        store.run(StoreOperation.RELEASE, call, s -> s.release(call, bucket, former));
        Moment _ = revoked.remove(former);
        return found;
    }

    /**
     * The owner in the tags of the bucket that must be proven absent. Empty if no other claim owns the bucket, or if the store
     * itself recognizes the owner: then the store decides whether it can be adopted.
     *
     * @param visible the namespaces whose claims this process sees
     * @throws ClaimProblemException if the claim does not get the bucket, whether the former owner exists or not
     */
    static Optional<BucketOwner> former(AdoptRequest request, OwnershipTags tags, Predicate<String> visible) {
        BucketOwner owner = request.owner();
        Optional<BucketOwner> current = tags.currentOwner();
        if (current.isEmpty()
                || current.get().equals(owner)
                || tags.formerOwner(owner, request.claim()).isPresent()) {
            return Optional.empty();
        }
        ClaimIdentity formerClaim = tags.claimOrNone();
        if (!current.get().clusterId().equals(owner.clusterId())) {
            throw refused(
                    request.bucket(),
                    "belongs to another cluster, which may exist. If that cluster is lost, an administrator adopts the"
                            + " bucket with `bucketwright claim adopt --from-cluster`.");
        }
        if (!formerClaim.isKnown()) {
            throw refused(
                    request.bucket(),
                    "has an owner, and its tags name no ObjectBucketClaim. An administrator finds out who uses it with"
                            + " `bucketwright bucket list`.");
        }
        if (!request.anyNamespace() && !formerClaim.isSameNamespace(request.claim())) {
            throw refused(
                    request.bucket(),
                    "belongs to a claim of another namespace, or of a former namespace of the same name. An administrator"
                            + " can allow it by a class with adoptFrom: AnyNamespace.");
        }
        if (!visible.test(formerClaim.namespace())) {
            throw refused(
                    request.bucket(),
                    "has an owner in a namespace that this controller does not serve: it cannot prove that the owner no"
                            + " longer exists. An administrator adopts the bucket with `bucketwright claim adopt --orphaned`.");
        }
        return current;
    }

    /** The message names nothing of other namespaces, whose claims are not watched for this one. */
    private static ClaimProblemException refused(BucketName bucket, String why) {
        return new ClaimProblemException(
                Problem.requiresUnwatchedChange(ClaimReason.ORPHAN_NOT_ADOPTED, "The bucket " + bucket + " " + why));
    }

    /**
     * Why the former owner still has a right to the bucket; empty if it is proven that it no longer exists. The caches show all
     * claims and ObjectBuckets of the cluster by uid; what they do not show is read from the API server, because a cache can be
     * old.
     *
     * @param next the claim that wants the bucket; it may have the names of the former one
     */
    private Optional<String> existing(
            BucketName bucket, BucketOwner former, ClaimIdentity formerClaim, BucketOwner next) {
        if (!caches.claims.synced() || !caches.buckets.synced()) {
            return Optional.of("has an owner, and not all claims of the cluster are known yet");
        }
        if (caches.claims.list().stream().anyMatch(claim -> isOf(former, claim))
                || read(formerClaim).filter(claim -> isOf(former, claim)).isPresent()) {
            return Optional.of("belongs to a claim that exists");
        }
        if (Stream.concat(caches.buckets.list().stream(), objectBuckets(former, formerClaim))
                .flatMap(found -> RecordedBucket.claimOf(found).stream())
                .anyMatch(claim -> claim.uid().equals(former.uid()))) {
            return Optional.of("belongs to a deleted claim whose ObjectBucket exists; the bucket is released with it");
        }
        return read(formerClaim)
                .filter(claim -> !isOf(next, claim))
                .filter(claim ->
                        claim.getSpec().bucket().filter(bucket.text()::equals).isPresent())
                .map(_ -> "belongs to a claim that was created again under the same name and requests the bucket");
    }

    private Optional<ObjectBucketClaim> read(ClaimIdentity claim) {
        return reader.read(ObjectBucketClaim.class, claim.namespace(), claim.name());
    }

    private static boolean isOf(BucketOwner owner, ObjectBucketClaim claim) {
        return owner.uid().equals(claim.getMetadata().getUid());
    }

    /** Both names that the controller gives. */
    private Stream<ObjectBucket> objectBuckets(BucketOwner former, ClaimIdentity claim) {
        return Stream.of(false, true)
                .map(taken -> ObjectBucketContent.name(claim.namespace(), claim.name(), former.uid(), taken))
                .distinct()
                .flatMap(name -> reader.read(ObjectBucket.class, "", name).stream());
    }

    /** A process that was restarted does not know when access was revoked, and waits again. */
    private void requireAccessEnded(Duration ending, BucketName bucket, BucketOwner former) {
        Moment first = revoked.computeIfAbsent(former, _ -> time.moment());
        Duration left = ending.minus(time.moment().since(first));
        if (left.isPositive()) {
            throw new Unavailable(
                    "The keys of the former claim of bucket " + bucket
                            + " are deleted, and the service may still accept"
                            + " them. The claim gets the bucket after "
                            + ending.toSeconds() + " seconds.",
                    left);
        }
    }
}
