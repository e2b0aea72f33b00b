package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one BucketAccess.
 *
 * @param access empty if this life of it is over, or it is another provisioner's
 * @param bucket the very Bucket it is for; empty if that is gone, or another provisioner's
 * @param secret the one with its credentials in the provisioner's namespace, if it says of itself that it is
 */
public record ObservedAccess(
        ObjectKey key,
        Optional<BucketAccess> access,
        Optional<Bucket> bucket,
        Optional<Secret> secret,
        DriverPreconditions surroundings,
        Recollection memory,
        Instant now) {}
