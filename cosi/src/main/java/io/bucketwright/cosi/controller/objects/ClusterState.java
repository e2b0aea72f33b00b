package io.bucketwright.cosi.controller.objects;

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

/** The cluster as the caches show it. No method sends a request. */
public interface ClusterState {

    Optional<BucketRequest> request(String namespace, String name);

    /** Empty for an empty name. */
    Optional<Bucket> bucket(String name);

    Optional<BucketAccessRequest> accessRequest(String namespace, String name);

    Optional<BucketAccess> access(String name);

    List<BucketClass> bucketClasses();

    Optional<BucketClass> bucketClass(String name);

    Optional<BucketAccessClass> accessClass(String name);

    /** Only Secrets with the label of a BucketAccess. */
    Optional<Secret> secret(String namespace, String name);

    /** The uid of a namespace; empty if it is not in the cache. */
    String namespaceUid(String name);

    List<BucketRequest> requestsNaming(String bucket);

    List<BucketAccessRequest> accessRequestsNaming(String access);

    List<BucketAccess> accessesOfBucket(String name);

    /** Accesses by the uid of the BucketRequest through which they use the Bucket. */
    List<BucketAccess> accessesThrough(String requestUid);

    /** Accesses by the uid of the BucketAccessRequest they were created for. */
    List<BucketAccess> accessesFor(String accessRequestUid);

    /** Access requests that name this BucketRequest, or its Bucket. */
    Stream<BucketAccessRequest> accessRequestsThrough(BucketRequest request);

    /** The Bucket of an access; a later Bucket of the same name is another one. */
    default Optional<Bucket> bucketOf(BucketAccess access) {
        return bucket(access.getSpec().bucketName())
                .filter(bucket -> bucket.getMetadata().getUid().equals(access.getSpec().bucketUid()));
    }

    /** The requests that share the Bucket. A request that only names it, without permission, does not. */
    default Stream<BucketRequest> entitledRequests(Bucket bucket) {
        return requestsNaming(bucket.getMetadata().getName()).stream()
                .filter(request -> BucketPermission.isEntitled(
                        bucket, request, namespaceUid(request.getMetadata().getNamespace())));
    }
}
