package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.cosi.core.BucketDecision;
import io.bucketwright.cosi.core.BucketState;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything known about one Bucket.
 *
 * @param accesses that may have an account in the driver: those through the claim that it is bound to, or, if no claim of
 *     that name exists, those that name it
 */
record ReleasedBucketObservation(
        ReleasedBucketRecord record,
        List<ReleasedBucketAccess> accesses,
        DriverPreconditions preconditions,
        BucketState state,
        Optional<FailedAttempt> failure,
        Moment moment,
        Instant now) {

    BucketDecision inStore() {
        return new BucketDecision(
                record, preconditions, preconditions.inputs(record.bucket()), state, failure, moment, now);
    }
}
