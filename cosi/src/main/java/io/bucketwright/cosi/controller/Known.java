package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is known of the cluster. No question costs a request. */
interface Known {

    Optional<BucketRequest> request(String namespace, String name);

    Optional<Bucket> bucket(String name);

    Optional<BucketAccessRequest> accessRequest(String namespace, String name);

    Optional<BucketAccess> access(String name);

    List<BucketClass> bucketClasses();

    Optional<BucketClass> bucketClass(String name);

    Optional<BucketAccessClass> accessClass(String name);

    /** Only those that carry the label of an access. */
    Optional<Secret> secret(String namespace, String name);

    /** The uid of a namespace; empty if it is not seen. */
    String namespaceUid(String name);

    List<BucketRequest> requestsNaming(String bucket);

    List<BucketAccessRequest> accessRequestsNaming(String access);

    List<BucketAccess> accessesOfBucket(String name);

    /** Accesses by the uid of the BucketRequest they go through. */
    List<BucketAccess> accessesThrough(String requestUid);

    /** Accesses by the uid of the BucketAccessRequest they were made for. */
    List<BucketAccess> accessesFor(String accessRequestUid);

    /** Access requests that go through that request, by its name or by its Bucket's. */
    Stream<BucketAccessRequest> askingThrough(BucketRequest request);
}
