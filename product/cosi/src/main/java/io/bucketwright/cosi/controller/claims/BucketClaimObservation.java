package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything the decision about one BucketClaim depends on.
 *
 * @param bucket that is bound to the claim, else the one that the claim names, else the one with the name of a new one
 * @param bucketClass that the claim names
 * @param accesses the BucketAccesses through the claim
 * @param failure the last attempt to create the Bucket, if it failed
 * @param moment for delays of this process; compare timestamps with {@code now}
 */
record BucketClaimObservation(
        BucketClaim claim,
        Optional<ReleasedBucket> bucket,
        Optional<ReleasedBucketClass> bucketClass,
        List<ReleasedBucketAccess> accesses,
        BucketClaimState state,
        Optional<FailedAttempt> failure,
        Moment moment,
        Instant now) {
    BucketClaimObservation {
        accesses = List.copyOf(accesses);
    }

    /** Whether the claim names an existing Bucket; then its class does not matter. */
    boolean isStatic() {
        return !claim.spec().existingBucketName().isEmpty();
    }

    /** The name of a new Bucket. */
    String newName() {
        return ReleasedNames.bucketOf(claim.getMetadata().getUid());
    }

    /** The Bucket, if it is bound to this claim. Only that field decides: tenants can write anything into a claim. */
    Optional<ReleasedBucket> bound() {
        return bucket.filter(found -> BucketReservation.of(found, claim) == BucketReservation.BOUND);
    }
}
