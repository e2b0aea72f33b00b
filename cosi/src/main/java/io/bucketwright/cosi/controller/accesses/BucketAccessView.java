package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import java.util.Optional;

/**
 * Everything the decision about one BucketAccess depends on.
 *
 * @param requested whether its BucketAccessRequest exists and is not being deleted
 * @param rotateAt when the request wants new credentials, empty if never
 * @param bucket its Bucket
 * @param granted whether the provisioner's Secret exists
 */
public record BucketAccessView(
        BucketAccess access, boolean requested, String rotateAt, Optional<Bucket> bucket, boolean granted) {}
