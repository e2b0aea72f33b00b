package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything known about one Bucket.
 *
 * @param bucket empty if the Bucket no longer exists or belongs to another provisioner
 * @param accesses the number of its BucketAccesses that may have an account in the driver
 * @param liveAccesses how many of them are not being deleted
 */
record SidecarBucketObservation(
        Optional<Bucket> bucket,
        long accesses,
        long liveAccesses,
        DriverPreconditions preconditions,
        SidecarBucketState inFlight,
        Optional<FailedAttempt> failure,
        Instant now) {}
