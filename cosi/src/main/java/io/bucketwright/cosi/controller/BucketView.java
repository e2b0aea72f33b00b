package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import java.util.List;
import java.util.Optional;

/**
 * All that is known about one Bucket.
 *
 * @param bucket empty if this life of it is over
 * @param accesses to this very Bucket
 * @param wanted whether a request that is there to stay has a part in it
 * @param released whether a request that had a part in it is on its way out
 */
record BucketView(Optional<Bucket> bucket, List<Seen> accesses, boolean wanted, boolean released) {
    BucketView {
        accesses = List.copyOf(accesses);
    }

    /**
     * An access to the Bucket.
     *
     * @param granted whether the provisioner's Secret for it is there
     */
    record Seen(BucketAccess access, boolean granted) {}
}
