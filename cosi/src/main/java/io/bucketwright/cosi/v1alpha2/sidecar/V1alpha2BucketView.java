package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.ReadyBucket;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.Optional;

/** A Bucket of this driver and what this process knows about it. */
record V1alpha2BucketView(
        V1alpha2Bucket bucket,
        DriverPreconditions preconditions,
        BucketProgress progress,
        Optional<FailedAttempt> failure,
        Instant now) {

    /**
     * What only this process knows.
     *
     * @param provisioned the driver's answer, until the status contains it
     * @param deleted whether the driver has deleted the bucket
     */
    record BucketProgress(Optional<ReadyBucket> provisioned, boolean deleted) {
        static BucketProgress none() {
            return new BucketProgress(Optional.empty(), false);
        }
    }
}
