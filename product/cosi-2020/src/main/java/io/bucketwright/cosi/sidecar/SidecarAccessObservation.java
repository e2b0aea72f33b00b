package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything known about one BucketAccess.
 *
 * @param access empty if the BucketAccess no longer exists or belongs to another provisioner
 * @param bucket the Bucket with the uid that the BucketAccess names; empty if it no longer exists or belongs to another
 *     provisioner
 * @param restored the Bucket that a backup restored under the name that the BucketAccess names
 * @param secret the Secret with the credentials in the provisioner's namespace
 */
record SidecarAccessObservation(
        Optional<BucketAccess> access,
        Optional<Bucket> bucket,
        Optional<Bucket> restored,
        Optional<Secret> secret,
        DriverPreconditions preconditions,
        SidecarAccessState inFlight,
        Optional<FailedAttempt> failure,
        Instant now) {}
