package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/** One object as the caches show it. */
sealed interface OrphanObservation {

    ObjectKey key();

    /** How long ago this process first reported the object as an orphan; empty if it did not. */
    Optional<Duration> reported();

    /**
     * An ObjectBucket.
     *
     * @param claim the claim that it belongs to, with its uid; empty if unknown
     * @param nameInUse whether a claim of that namespace and name exists, with any uid
     */
    record Bucket(
            ObjectKey key,
            Optional<ObjectBucket> bucket,
            Optional<ObjectKey> claim,
            boolean nameInUse,
            Optional<Duration> reported)
            implements OrphanObservation {}

    /**
     * A claim.
     *
     * @param hasBucket whether the ObjectBucket that the claim names exists, or any that belongs to the claim
     */
    record Claim(ObjectKey key, Optional<ObjectBucketClaim> claim, boolean hasBucket, Optional<Duration> reported)
            implements OrphanObservation {}
}
