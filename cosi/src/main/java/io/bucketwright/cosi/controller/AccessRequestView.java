package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one BucketAccessRequest. No secret value is in it.
 *
 * @param request empty if this life of it is over
 * @param namespaceUid of its namespace, empty if that is not seen (yet)
 * @param through the BucketRequest of the same namespace that leads to the bucket
 * @param bucket the one that is meant, or, once there is an access, the one that is accessed
 * @param access the one that was made for this very request
 * @param nameTaken whether the access's name, or the one it would get, is another's
 * @param secret how the application's Secret stands
 * @param granted whether the provisioner's Secret is there
 */
record AccessRequestView(
        Optional<BucketAccessRequest> request,
        String namespaceUid,
        Optional<BucketRequest> through,
        Optional<Bucket> bucket,
        Optional<BucketAccessClass> accessClass,
        Optional<BucketAccess> access,
        boolean nameTaken,
        boolean granted,
        Copy secret,
        Instant now) {

    /** How the application's Secret compares to the provisioner's. */
    enum Copy {
        ABSENT,
        SAME,
        DIFFERENT,
        /** One of that name is there and not ours. */
        FOREIGN
    }
}
