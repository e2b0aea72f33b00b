package io.bucketwright.buckets.adoption;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ClaimReason;
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
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Releases a bucket in place of a claim that no longer exists, so that a claim of a class with adoptOrphans can adopt it.
 *
 * @param visible the namespaces whose claims this process sees
 */
public record OrphanAdoption(FormerClaims formerClaims, EventRecorder events, Predicate<String> visible) {

    /**
     * Deletes the user of the former claim and tags the bucket as released, if that claim no longer exists. Does nothing if
     * no other claim owns the bucket.
     *
     * @param sharers how many other claims have access to the bucket
     * @throws AdoptionRefusedException if it is not proven that the former owner no longer exists, other claims have access
     *     to the bucket, or the class does not allow its adoption
     * @throws Taken if the bucket got another owner meanwhile
     * @return the former owner; empty if there was nothing to release
     */
    public Optional<BucketOwner> release(BucketStore store, StoreCall call, AdoptRequest request, long sharers) {
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
                requireUnused(bucket, sharers);
                formerClaims.existing(bucket, former, formerClaim).ifPresent(why -> {
                    throw new AdoptionRefusedException("The bucket " + bucket + " " + why + ".");
                });
                // Revoke before the release: afterwards the tags no longer name the former owner, so a retry could not
                // find its user.
                store.revoke(call, bucket, former);
                store.release(call, bucket, former);
                yield Optional.of(former);
            }
        };
    }

    public void report(ObjectBucketClaim claim, BucketName bucket, BucketOwner former) {
        events.normal(
                claim,
                ClaimReason.ORPHAN_ADOPTED,
                "Bind",
                "The claim adopts bucket " + bucket + ". Its former claim, uid " + former.uid()
                        + ", no longer exists, and the user of that claim is deleted.");
    }

    private static void requireUnused(BucketName bucket, long sharers) {
        if (sharers > 0) {
            throw new AdoptionRefusedException(
                    "The bucket " + bucket + " is not adopted. Its claim no longer exists, but " + sharers
                            + (sharers == 1 ? " other claim has" : " other claims have") + " access to it.");
        }
    }
}
