package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/**
 * The Secret of an access that nobody requested to end.
 *
 * @param secret with the credentials of an access; empty if its BucketAccess exists, or there is no such Secret
 * @param bucket the Bucket of this provisioner whose bucket the Secret names
 */
record LostAccessObservation(
        Optional<Secret> secret,
        Optional<Bucket> bucket,
        DriverPreconditions preconditions,
        LostAccessState inFlight,
        Optional<FailedAttempt> failure) {}
