package io.bucketwright.cosi.controller.objects;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The cluster as the caches show it. No method sends a request. */
public final class CosiCaches {

    public final ObjectCache<BucketRequest> requests;
    public final ObjectCache<Bucket> buckets;
    public final ObjectCache<BucketAccessRequest> accessRequests;
    public final ObjectCache<BucketAccess> accesses;
    public final ObjectCache<BucketClass> classes;
    public final ObjectCache<BucketAccessClass> accessClasses;
    public final ObjectCache<Secret> secrets;
    public final ObjectCache<Namespace> namespaces;

    /** Buckets by the uid of the BucketRequest they were created for. */
    final Index<Bucket> bucketsFor;

    /** Requests by the Bucket they name. */
    public final Index<BucketRequest> requestsNaming;

    /** Requests by the class they name; those without a class under the empty string. */
    final Index<BucketRequest> requestsOfClass;

    final Index<BucketRequest> requestsIn;
    /** Access requests by {@code <namespace>/<BucketRequest>}. */
    private final Index<BucketAccessRequest> accessRequestsOfRequest;

    /** Access requests by {@code <namespace>/<Bucket>}. */
    private final Index<BucketAccessRequest> accessRequestsOfBucket;

    /** Access requests by the BucketAccess they name. */
    public final Index<BucketAccessRequest> accessRequestsNaming;

    final Index<BucketAccessRequest> accessRequestsOfClass;
    final Index<BucketAccessRequest> accessRequestsIn;
    public final Index<BucketAccess> accessesOfBucket;
    /** Accesses by the uid of the BucketRequest through which they use the Bucket. */
    public final Index<BucketAccess> accessesThrough;

    /** Accesses by the uid of the BucketAccessRequest they were created for. */
    public final Index<BucketAccess> accessesFor;

    final Index<BucketAccess> accessesByUid;
    /** Accesses by {@code <namespace>/<name>} of the application's Secret. */
    final Index<BucketAccess> accessesOfSecret;

    public CosiCaches(ObjectCaches caches) {
        requests = caches.of(BucketRequest.class, Scope.everything());
        buckets = caches.unlimited(Bucket.class, Scope.everything());
        accessRequests = caches.of(BucketAccessRequest.class, Scope.everything());
        accesses = caches.unlimited(BucketAccess.class, Scope.everything());
        classes = caches.unlimited(BucketClass.class, Scope.everything());
        accessClasses = caches.unlimited(BucketAccessClass.class, Scope.everything());
        // Only the Secrets of accesses: Secrets of others are not kept in memory.
        secrets =
                caches.of(Secret.class, Scope.everything().having(CosiNames.BUCKET_ACCESS_UID), CachedSecret::trimmed);
        namespaces = caches.of(Namespace.class, Scope.everything(), MetadataTrim.NAMESPACE);
        bucketsFor = buckets.indexBy(object ->
                object.getSpec().creator().map(BucketRequestRef::uid).stream().toList());
        requestsNaming = requests.indexBy(object -> some(object.getSpec().bucketInstanceName()));
        requestsOfClass = requests.indexBy(object -> List.of(object.getSpec().bucketClassName()));
        requestsIn = requests.indexBy(object -> List.of(object.getMetadata().getNamespace()));
        accessRequestsOfRequest = accessRequests.indexBy(
                object -> inNamespace(object, object.getSpec().bucketRequestName()));
        accessRequestsOfBucket = accessRequests.indexBy(
                object -> inNamespace(object, object.getSpec().bucketInstance()));
        accessRequestsNaming =
                accessRequests.indexBy(object -> some(object.getSpec().bucketAccessName()));
        accessRequestsOfClass =
                accessRequests.indexBy(object -> List.of(object.getSpec().bucketAccessClassName()));
        accessRequestsIn =
                accessRequests.indexBy(object -> List.of(object.getMetadata().getNamespace()));
        accessesOfBucket = accesses.indexBy(object -> some(object.getSpec().bucketName()));
        accessesThrough =
                accesses.indexBy(object -> some(object.getSpec().bucketRequest().uid()));
        accessesFor = accesses.indexBy(object -> some(object.getSpec().bucketAccessRequestUid()));
        accessesOfSecret = accesses.indexBy(object -> List.of(object.getSpec().bucketAccessRequestNamespace() + "/"
                + object.getSpec().applicationSecretName()));
        accessesByUid = accesses.indexBy(object -> List.of(object.getMetadata().getUid()));
    }

    /** Empty for an empty name. */
    public Optional<Bucket> bucket(String name) {
        return name.isEmpty() ? Optional.empty() : buckets.get("", name);
    }

    /** The uid of a namespace; empty if it is not in the cache. */
    public String namespaceUid(String name) {
        return namespaces
                .get("", name)
                .map(namespace -> namespace.getMetadata().getUid())
                .orElse("");
    }

    /** Access requests that name this BucketRequest, or its Bucket. */
    public Stream<BucketAccessRequest> accessRequestsThrough(BucketRequest request) {
        String namespace = request.getMetadata().getNamespace() + "/";
        return Stream.concat(
                accessRequestsOfRequest.get(namespace + request.getMetadata().getName()).stream(),
                accessRequestsOfBucket.get(namespace + request.getSpec().bucketInstanceName()).stream());
    }

    /** The Bucket of an access; a later Bucket of the same name is another one. */
    public Optional<Bucket> bucketOf(BucketAccess access) {
        return bucket(access.getSpec().bucketName())
                .filter(bucket ->
                        bucket.getMetadata().getUid().equals(access.getSpec().bucketUid()));
    }

    /** The requests that share the Bucket. A request that only names it, without permission, does not. */
    public Stream<BucketRequest> entitledRequests(Bucket bucket) {
        return requestsNaming.get(bucket.getMetadata().getName()).stream()
                .filter(request -> BucketPermission.isEntitled(
                        bucket, request, namespaceUid(request.getMetadata().getNamespace())));
    }

    /** The requests that may share the Bucket: the cache does not contain their namespace yet. Its event follows. */
    public Stream<BucketRequest> undecidedRequests(Bucket bucket) {
        return requestsNaming.get(bucket.getMetadata().getName()).stream()
                .filter(request -> BucketPermission.isUndecided(
                        bucket, request, namespaceUid(request.getMetadata().getNamespace())));
    }

    private static List<String> inNamespace(BucketAccessRequest request, String name) {
        return name.isEmpty() ? List.of() : List.of(request.getMetadata().getNamespace() + "/" + name);
    }

    private static List<String> some(String value) {
        return value.isEmpty() ? List.of() : List.of(value);
    }
}
