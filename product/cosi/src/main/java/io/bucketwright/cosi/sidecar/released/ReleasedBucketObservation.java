package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything known about one Bucket.
 *
 * @param bucket empty if it no longer exists or belongs to another driver
 * @param deleted its last state, if this process has seen its deletion
 * @param claim that it is bound to
 * @param accesses that name the claim and may have an account in the driver
 */
record ReleasedBucketObservation(
        Optional<ReleasedBucket> bucket,
        Optional<ReleasedBucket> deleted,
        Optional<BucketClaim> claim,
        List<ReleasedBucketAccess> accesses,
        DriverPreconditions preconditions,
        ReleasedBucketState inFlight,
        Optional<FailedAttempt> failure,
        Instant now) {}
