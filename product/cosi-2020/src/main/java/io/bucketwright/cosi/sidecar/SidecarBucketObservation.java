package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything known about one Bucket.
 *
 * @param bucket empty if the Bucket no longer exists or belongs to another provisioner
 */
record SidecarBucketObservation(
        Optional<Bucket> bucket,
        Accesses accesses,
        DriverPreconditions preconditions,
        SidecarBucketState inFlight,
        Optional<FailedAttempt> failure,
        Instant now) {

    /**
     * The BucketAccesses of a Bucket that may have an account in the driver.
     *
     * @param all their number
     * @param live how many of them are not being deleted
     * @param connection the connection data in the Secret of one of them, if the Bucket has none
     */
    record Accesses(long all, long live, Optional<CreatedBucket> connection) {

        static final Accesses NONE = new Accesses(0, 0, Optional.empty());
    }
}
