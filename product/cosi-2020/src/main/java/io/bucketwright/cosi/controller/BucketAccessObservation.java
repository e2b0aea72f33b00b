package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import java.util.Optional;

/**
 * Everything the decision about one BucketAccess depends on.
 *
 * @param request its BucketAccessRequest; if the cache does not contain it, it may exist all the same
 * @param bucket its Bucket
 * @param granted whether the provisioner's Secret exists
 */
record BucketAccessObservation(
        BucketAccess access, Optional<BucketAccessRequest> request, Optional<Bucket> bucket, boolean granted) {}
