package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.cache.Cached;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.stream.Stream;

/** The caches that the four loops read. */
final class CosiCaches {

    final Cached<BucketRequest> requests;
    final Cached<Bucket> buckets;
    final Cached<BucketAccessRequest> accessRequests;
    final Cached<BucketAccess> accesses;
    final Cached<BucketClass> classes;
    final Cached<BucketAccessClass> accessClasses;
    final Cached<Secret> secrets;
    final Cached<Namespace> namespaces;

    /** Requests by the Bucket they name. */
    final Index<BucketRequest> requestsOfBucket;

    /** Requests by the class they name; those that name none under the empty text. */
    final Index<BucketRequest> requestsOfClass;

    final Index<BucketRequest> requestsIn;
    /** Access requests by {@code <namespace>/<BucketRequest>}. */
    final Index<BucketAccessRequest> accessRequestsThrough;

    /** Access requests by {@code <namespace>/<Bucket>}. */
    final Index<BucketAccessRequest> accessRequestsOfBucket;

    final Index<BucketAccessRequest> accessRequestsOfClass;
    final Index<BucketAccessRequest> accessRequestsIn;
    final Index<BucketAccess> accessesOfBucket;
    /** Accesses by the uid of the BucketRequest they go through. */
    final Index<BucketAccess> accessesThrough;

    /** Accesses by the uid of the BucketAccessRequest they were made for. */
    final Index<BucketAccess> accessesFor;

    final Index<BucketAccess> accessesByUid;

    CosiCaches(Caches caches) {
        requests = caches.of(BucketRequest.class, Scope.everything());
        buckets = caches.of(Bucket.class, Scope.everything());
        accessRequests = caches.of(BucketAccessRequest.class, Scope.everything());
        accesses = caches.of(BucketAccess.class, Scope.everything());
        classes = caches.of(BucketClass.class, Scope.everything());
        accessClasses = caches.of(BucketAccessClass.class, Scope.everything());
        // Only what belongs to an access: other people's Secrets are none of our business, not even in memory.
        secrets = caches.of(Secret.class, Scope.everything().having(CosiNames.BUCKET_ACCESS_UID));
        namespaces = caches.of(Namespace.class, Scope.everything(), CosiCaches::nameAndUid);
        requestsOfBucket = requests.indexBy(it -> some(it.getSpec().bucketInstanceName()));
        requestsOfClass = requests.indexBy(it -> List.of(it.getSpec().bucketClassName()));
        requestsIn = requests.indexBy(it -> List.of(it.getMetadata().getNamespace()));
        accessRequestsThrough = accessRequests.indexBy(it -> some(it.getSpec().bucketRequestName()).stream()
                .map(name -> it.getMetadata().getNamespace() + "/" + name)
                .toList());
        accessRequestsOfBucket = accessRequests.indexBy(it -> some(it.getSpec().bucketInstance()).stream()
                .map(name -> it.getMetadata().getNamespace() + "/" + name)
                .toList());
        accessRequestsOfClass =
                accessRequests.indexBy(it -> List.of(it.getSpec().bucketAccessClassName()));
        accessRequestsIn = accessRequests.indexBy(it -> List.of(it.getMetadata().getNamespace()));
        accessesOfBucket = accesses.indexBy(it -> some(it.getSpec().bucketName()));
        accessesThrough =
                accesses.indexBy(it -> some(it.getSpec().bucketRequest().uid()));
        accessesFor = accesses.indexBy(it -> some(it.getSpec().bucketAccessRequestUid()));
        accessesByUid = accesses.indexBy(it -> List.of(it.getMetadata().getUid()));
    }

    /** Access requests that go through that request, by its name or by its Bucket's. */
    Stream<BucketAccessRequest> askingThrough(BucketRequest request) {
        String namespace = request.getMetadata().getNamespace() + "/";
        return Stream.concat(
                accessRequestsThrough.get(namespace + request.getMetadata().getName()).stream(),
                accessRequestsOfBucket.get(namespace + request.getSpec().bucketInstanceName()).stream());
    }

    /** Of a namespace only its name and uid are of interest, and only they are kept. */
    private static Namespace nameAndUid(Namespace namespace) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace.getMetadata().getName())
                .withUid(namespace.getMetadata().getUid())
                .withResourceVersion(namespace.getMetadata().getResourceVersion())
                .endMetadata()
                .build();
    }

    private static List<String> some(String value) {
        return value.isEmpty() ? List.of() : List.of(value);
    }
}
