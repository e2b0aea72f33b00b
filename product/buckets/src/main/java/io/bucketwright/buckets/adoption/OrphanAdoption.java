package io.bucketwright.buckets.adoption;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.sharing.BucketSharedException;
import io.bucketwright.buckets.sharing.BucketSharing;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Releases a bucket in place of a claim that no longer exists, so that a claim of a class with adoptOrphans can adopt it.
 *
 * @param visible the namespaces whose claims this process sees
 * @param adopting the buckets that are being adopted: stores read the ownership tags and then write them, so only one claim may
 *     do so at a time
 * @param revoked when the access of a former owner was revoked, whose bucket is not released yet
 */
public record OrphanAdoption(
        FormerClaims formerClaims,
        EventRecorder events,
        Predicate<String> visible,
        BucketSharing sharing,
        Set<String> adopting,
        Map<BucketOwner, Moment> revoked,
        TimeSource time) {

    /**
     * Adopts the bucket, after a former owner that no longer exists was replaced.
     *
     * @param mayBeOrphan whether the class allows to adopt a bucket that nobody released
     * @return the former owner that was replaced; empty if there was none
     */
    public Optional<BucketOwner> adopt(BucketStore store, StoreCall call, AdoptRequest request, boolean mayBeOrphan) {
        if (!adopting.add(request.bucket().text())) {
            throw new Unavailable("Another claim is adopting the bucket " + request.bucket() + " at this moment.");
        }
        try {
            Optional<BucketOwner> former = mayBeOrphan ? release(store, call, request) : Optional.empty();
            store.adopt(call, request);
            return former;
        } finally {
            adopting.remove(request.bucket().text());
        }
    }

    /**
     * Deletes the user of the former claim and tags the bucket as released, if that claim no longer exists. Does nothing if
     * no other claim owns the bucket.
     *
     * @throws AdoptionRefusedException if it is not proven that the former owner no longer exists, other claims have access
     *     to the bucket, or the class does not allow its adoption
     * @throws Taken if the bucket got another owner meanwhile
     * @throws Unavailable if the service may still accept the deleted keys of the former owner
     * @return the former owner; empty if there was nothing to release
     */
    private Optional<BucketOwner> release(BucketStore store, StoreCall call, AdoptRequest request) {
        BucketName bucket = request.bucket();
        Optional<OwnershipTags> tags = store.findBucket(call, bucket).map(ListedBucket::tags);
        if (tags.isEmpty()) {
            return Optional.empty();
        }
        return switch (AdoptionDecision.of(
                bucket, tags.get(), request.owner(), request.claim(), request.anyNamespace(), visible)) {
            case AdoptionDecision.NothingToRelease _ -> Optional.empty();
            case AdoptionDecision.Refuse(String message) -> throw new AdoptionRefusedException(message);
            case AdoptionDecision.ProveAbsence(BucketOwner former, ClaimIdentity formerClaim) -> {
                requireUnused(call, bucket, former);
                formerClaims
                        .existing(bucket, former, formerClaim, request.owner())
                        .ifPresent(why -> {
                            throw new AdoptionRefusedException("The bucket " + bucket + " " + why + ".");
                        });
                // Revoke before the release: afterwards the tags no longer name the former owner, so a retry could not
                // find its user.
                store.revoke(call, bucket, former);
                requireAccessEnded(store, bucket, former);
                store.release(call, bucket, former);
                Moment _ = revoked.remove(former);
                yield Optional.of(former);
            }
        };
    }

    /** A process that was restarted does not know when access was revoked, and waits again. */
    private void requireAccessEnded(BucketStore store, BucketName bucket, BucketOwner former) {
        Moment first = revoked.computeIfAbsent(former, _ -> time.moment());
        Duration left = store.accessEndsWithin().minus(time.moment().since(first));
        if (left.isPositive()) {
            throw new Unavailable(
                    "The keys of the former claim of bucket " + bucket
                            + " are deleted, and the service may still accept"
                            + " them. The claim gets the bucket after "
                            + store.accessEndsWithin().toSeconds() + " seconds.",
                    left);
        }
    }

    public void report(ObjectBucketClaim claim, BucketName bucket, BucketOwner former) {
        events.normal(
                claim,
                ClaimReason.ORPHAN_ADOPTED,
                "Bind",
                "The claim adopts bucket " + bucket + ". Its former claim, uid " + former.uid()
                        + ", no longer exists, and the user of that claim is deleted.");
    }

    private void requireUnused(StoreCall call, BucketName bucket, BucketOwner former) {
        try {
            sharing.requireUnused(call, bucket, former);
        } catch (BucketSharedException e) {
            throw new AdoptionRefusedException(
                    "The bucket " + bucket + " is not adopted. Its claim no longer exists, but " + e.users()
                            + (e.users() == 1 ? " other claim has" : " other claims have") + " access to it.");
        }
    }
}
