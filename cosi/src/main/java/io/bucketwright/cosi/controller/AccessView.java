package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one BucketAccess.
 *
 * @param access empty if this life of it is over
 * @param wanted whether the request it was made for is there to stay
 * @param rotateAt when that request wants other credentials, empty if never
 * @param bucket the very one it is an access to
 * @param granted whether the provisioner's Secret for it is there
 */
record AccessView(
        Optional<BucketAccess> access,
        boolean wanted,
        String rotateAt,
        Optional<Bucket> bucket,
        boolean granted,
        Instant now) {}
