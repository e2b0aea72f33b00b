package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import java.time.Instant;
import java.util.List;

/**
 * Everything the decision about one Bucket depends on.
 *
 * @param accesses to this Bucket
 * @param wanted whether a request shares the Bucket, or may share it, and is not being deleted
 * @param released whether a request that shares the Bucket is being deleted
 * @param abandoned whether the request that the Bucket was created for no longer exists
 */
record BucketObservation(
        Bucket bucket, List<Access> accesses, boolean wanted, boolean released, boolean abandoned, Instant now) {
    public BucketObservation {
        accesses = List.copyOf(accesses);
    }

    /**
     * An access to the Bucket.
     *
     * @param granted whether the provisioner's Secret exists
     */
    public record Access(BucketAccess access, boolean granted) {}
}
