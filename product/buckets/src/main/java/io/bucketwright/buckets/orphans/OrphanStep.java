package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** The next step of the orphan controller. */
sealed interface OrphanStep {

    /** Sends a warning event about an orphan and starts the grace period. */
    record Report(HasMetadata orphan, String reason, String message) implements OrphanStep {}

    /** Deletes the ObjectBucket if the API server confirms that the claim does not exist. */
    record DeleteBucket(ObjectBucket bucket, ObjectKey claim) implements OrphanStep {}

    /** Sets the claim's phase to Released if the API server confirms that the ObjectBucket does not exist. */
    record ReleaseClaim(ObjectBucketClaim claim) implements OrphanStep {}

    /** Forgets that the object was reported, because it is no orphan any more or no longer exists. */
    record Forget(ObjectKey object) implements OrphanStep {}
}
