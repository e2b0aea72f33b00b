package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;

/** The next step of the orphan controller. */
sealed interface OrphanStep {

    /** Sends a warning event about an ObjectBucket without a claim and starts the grace period. */
    record ReportBucket(ObjectBucket bucket, ObjectKey claim) implements OrphanStep {}

    /** Deletes the ObjectBucket if the API server confirms that the claim does not exist. */
    record DeleteBucket(ObjectBucket bucket, ObjectKey claim) implements OrphanStep {}

    /** Sends a warning event about a claim without an ObjectBucket and starts the grace period. */
    record ReportClaim(ObjectBucketClaim claim) implements OrphanStep {}

    /** Sets the claim's phase to Released if the API server confirms that the ObjectBucket does not exist. */
    record ReleaseClaim(ObjectBucketClaim claim) implements OrphanStep {}
}
