package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.runtime.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one Bucket.
 *
 * @param bucket empty if this life of it is over, or it is another provisioner's
 * @param accesses how many BucketAccesses the driver may still know of
 */
public record ObservedBucket(
        ObjectKey key,
        Optional<Bucket> bucket,
        long accesses,
        DriverPreconditions surroundings,
        Recollection memory,
        Instant now) {}
