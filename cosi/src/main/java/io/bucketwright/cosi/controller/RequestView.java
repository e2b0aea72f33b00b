package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that is known about one BucketRequest.
 *
 * @param request empty if this life of it is over
 * @param namespaceUid of its namespace, empty if that is not seen (yet)
 * @param bucket the one it names
 * @param nameTaken whether {@code bucket-<name>-<namespace>} is another's
 * @param accesses those that reach the bucket through this request
 * @param sharers whether other requests that are there to stay have a part in the same Bucket
 * @param accessAsked whether a BucketAccessRequest leads here, so that nobody needs to be told to make one
 */
record RequestView(
        Optional<BucketRequest> request,
        String namespaceUid,
        ClassChoice bucketClass,
        Optional<Bucket> bucket,
        boolean nameTaken,
        List<BucketAccess> accesses,
        boolean sharers,
        boolean accessAsked,
        Instant now) {
    RequestView {
        accesses = List.copyOf(accesses);
    }
}
