package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything the decision about one BucketRequest depends on.
 *
 * @param namespaceUid of its namespace, empty if that is not in the cache
 * @param classes the class it names, if that exists; without a name all defaults of its protocol
 * @param bucket the one it names
 * @param nameTaken whether {@code bucket-<name>-<namespace>} is in use for another request
 * @param accesses those that use the Bucket through this request
 * @param undecided whether this or another request may share the Bucket: its namespace is not in the cache
 * @param shared whether other requests share the Bucket and are not being deleted
 * @param refusal why the API server refused to create the Bucket in this reconciliation; empty if it did not
 * @param accessRequested whether a BucketAccessRequest names this request or its Bucket
 * @param delivered whether one of them is Bound: its Secret was written
 */
record BucketRequestObservation(
        BucketRequest request,
        String namespaceUid,
        List<BucketClass> classes,
        Optional<Bucket> bucket,
        boolean nameTaken,
        List<BucketAccess> accesses,
        boolean undecided,
        boolean shared,
        String refusal,
        boolean accessRequested,
        boolean delivered,
        Instant now) {
    public BucketRequestObservation {
        classes = List.copyOf(classes);
        accesses = List.copyOf(accesses);
    }
}
