package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cluster as the caches show it. No method sends a request. */
final class CosiCaches {

    final ObjectCache<BucketRequest> requests;
    final ObjectCache<Bucket> buckets;
    final ObjectCache<BucketAccessRequest> accessRequests;
    final ObjectCache<BucketAccess> accesses;
    final ObjectCache<BucketClass> classes;
    final ObjectCache<BucketAccessClass> accessClasses;
    final ObjectCache<Secret> secrets;
    final ObjectCache<Namespace> namespaces;

    /** Buckets by the uid of the BucketRequest they were created for. */
    private final Index<Bucket> bucketsFor;

    /** Requests by the Bucket they name. */
    final Index<BucketRequest> requestsNaming;

    /** Requests by the class they name; those without a class under the empty string. */
    private final Index<BucketRequest> requestsOfClass;

    private final Index<BucketRequest> requestsIn;
    /** Access requests by {@code <namespace>/<BucketRequest>}. */
    private final Index<BucketAccessRequest> accessRequestsOfRequest;

    /** Access requests by {@code <namespace>/<Bucket>}. */
    private final Index<BucketAccessRequest> accessRequestsOfBucket;

    /** Access requests by the BucketAccess they name. */
    final Index<BucketAccessRequest> accessRequestsNaming;

    private final Index<BucketAccessRequest> accessRequestsOfClass;
    private final Index<BucketAccessRequest> accessRequestsIn;
    final Index<BucketAccess> accessesOfBucket;
    /** Accesses by the uid of the BucketRequest through which they use the Bucket. */
    final Index<BucketAccess> accessesThrough;

    /** Accesses by the uid of the BucketAccessRequest they were created for. */
    final Index<BucketAccess> accessesFor;

    private final Index<BucketAccess> accessesByUid;
    /** Accesses by {@code <namespace>/<name>} of the application's Secret. */
    private final Index<BucketAccess> accessesOfSecret;

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

    // --- BucketRequests

    /** Requests that name the same Bucket. */
    Collection<ObjectKey> requestsOf(BucketRequest request) {
        return keys(requestsNaming(request.getSpec().bucketInstanceName()));
    }

    Collection<ObjectKey> requestsOf(Bucket bucket) {
        Set<ObjectKey> all = keys(requestsNaming(bucket.getMetadata().getName()));
        bucket.getSpec().creator().map(CosiCaches::key).ifPresent(all::add);
        return all;
    }

    /** Requests that name the class, and requests without a class. */
    Collection<ObjectKey> requestsOf(BucketClass bucketClass) {
        return keys(Stream.concat(
                requestsOfClass.get(bucketClass.getMetadata().getName()).stream(), requestsOfClass.get("").stream()));
    }

    Collection<ObjectKey> requestsOf(BucketAccess access) {
        return List.of(key(access.getSpec().bucketRequest()));
    }

    Collection<ObjectKey> requestsOf(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        return keys(Stream.concat(
                requests.get(namespace, request.getSpec().bucketRequestName()).stream(),
                requestsNaming(request.getSpec().bucketInstance())
                        .filter(object -> object.getMetadata().getNamespace().equals(namespace))));
    }

    /** The requests in the namespace, and those that name the same Buckets: their deletion may wait for the namespace. */
    Collection<ObjectKey> requestsOf(Namespace namespace) {
        return keys(
                Stream.concat(requestsIn(namespace), bucketNamesIn(namespace).flatMap(this::requestsNaming)));
    }

    // --- Buckets

    /** The Bucket that the request names, and the one that was created for it: tenants can edit the name. */
    Collection<ObjectKey> bucketsOf(BucketRequest request) {
        return keys(Stream.concat(
                bucketNamed(request.getSpec().bucketInstanceName()),
                bucketsFor.get(request.getMetadata().getUid()).stream()));
    }

    /** The Buckets that requests in the namespace name. */
    Collection<ObjectKey> bucketsOf(Namespace namespace) {
        return keys(bucketNamesIn(namespace).flatMap(this::bucketNamed));
    }

    Collection<ObjectKey> bucketsOf(BucketAccess access) {
        return keys(bucketNamed(access.getSpec().bucketName()));
    }

    Collection<ObjectKey> bucketsOf(Secret secret) {
        return keys(
                accessOf(secret).flatMap(access -> bucketNamed(access.getSpec().bucketName())));
    }

    // --- BucketAccessRequests

    Collection<ObjectKey> accessRequestsOf(BucketRequest request) {
        return keys(accessRequestsThrough(request));
    }

    Collection<ObjectKey> accessRequestsOf(Bucket bucket) {
        Set<ObjectKey> all =
                accessRequestsOf(accessesOfBucket.get(bucket.getMetadata().getName()).stream());
        requestsNaming(bucket.getMetadata().getName()).forEach(request -> all.addAll(accessRequestsOf(request)));
        return all;
    }

    /** The request it was created for, and those that name it: a restored request waits for the end of its former access. */
    Collection<ObjectKey> accessRequestsOf(BucketAccess access) {
        Set<ObjectKey> all = keys(accessRequestsNaming.get(access.getMetadata().getName()).stream());
        all.add(new ObjectKey(
                access.getSpec().bucketAccessRequestNamespace(),
                access.getSpec().bucketAccessRequestName(),
                access.getSpec().bucketAccessRequestUid()));
        return all;
    }

    Collection<ObjectKey> accessRequestsOf(BucketAccessClass accessClass) {
        return keys(accessRequestsOfClass.get(accessClass.getMetadata().getName()).stream());
    }

    /** The request of its access, and the one that wants a Secret of this name and may wait for the deletion of this one. */
    Collection<ObjectKey> accessRequestsOf(Secret secret) {
        String name =
                secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName();
        return accessRequestsOf(Stream.concat(accessOf(secret), accessesOfSecret.get(name).stream()));
    }

    Collection<ObjectKey> accessRequestsOf(Namespace namespace) {
        return keys(accessRequestsIn.get(namespace.getMetadata().getName()).stream());
    }

    // --- BucketAccesses

    Collection<ObjectKey> accessesOf(BucketAccessRequest request) {
        return keys(accessesFor.get(request.getMetadata().getUid()).stream());
    }

    Collection<ObjectKey> accessesOf(Bucket bucket) {
        return keys(accessesOfBucket.get(bucket.getMetadata().getName()).stream());
    }

    Collection<ObjectKey> accessesOf(Secret secret) {
        return keys(accessOf(secret));
    }

    private Set<ObjectKey> accessRequestsOf(Stream<BucketAccess> accesses) {
        return accesses.flatMap(access -> accessRequestsOf(access).stream())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Stream<BucketRequest> requestsNaming(String bucket) {
        return requestsNaming.get(bucket).stream();
    }

    private Stream<BucketRequest> requestsIn(Namespace namespace) {
        return requestsIn.get(namespace.getMetadata().getName()).stream();
    }

    /** Each name once, although a tenant may create thousands of requests that name one Bucket. */
    private Stream<String> bucketNamesIn(Namespace namespace) {
        return requestsIn(namespace)
                .map(request -> request.getSpec().bucketInstanceName())
                .distinct();
    }

    private Stream<Bucket> bucketNamed(String name) {
        return bucket(name).stream();
    }

    private Stream<BucketAccess> accessOf(Secret secret) {
        return accessesByUid.get(Metadata.label(secret, CosiNames.BUCKET_ACCESS_UID)).stream();
    }

    private static Set<ObjectKey> keys(Stream<? extends HasMetadata> objects) {
        return objects.map(ObjectKey::of).collect(Collectors.toCollection(HashSet::new));
    }

    private static ObjectKey key(BucketRequestRef request) {
        return new ObjectKey(request.namespace(), request.name(), request.uid());
    }

    private static List<String> inNamespace(BucketAccessRequest request, String name) {
        return name.isEmpty() ? List.of() : List.of(request.getMetadata().getNamespace() + "/" + name);
    }

    private static List<String> some(String value) {
        return value.isEmpty() ? List.of() : List.of(value);
    }
}
