package io.bucketwright.cosi.sidecar;

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
record BucketObserved(
        ObjectKey key,
        Optional<Bucket> bucket,
        long accesses,
        Surroundings surroundings,
        Recollection memory,
        Instant now) {}
