package io.bucketwright.cosi.controller.objects;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys to reconcile when another object changes. */
public record RelatedKeys(CosiCaches caches) {

    // --- BucketRequests

    /** Requests that name the same Bucket. */
    public Collection<ObjectKey> requestsOf(BucketRequest request) {
        return keys(requestsNaming(request.getSpec().bucketInstanceName()));
    }

    public Collection<ObjectKey> requestsOf(Bucket bucket) {
        Set<ObjectKey> all = keys(requestsNaming(bucket.getMetadata().getName()));
        bucket.getSpec().creator().map(RelatedKeys::key).ifPresent(all::add);
        return all;
    }

    /** Requests that name the class, and requests without a class. */
    public Collection<ObjectKey> requestsOf(BucketClass bucketClass) {
        return keys(Stream.concat(
                caches.requestsOfClass.get(bucketClass.getMetadata().getName()).stream(),
                caches.requestsOfClass.get("").stream()));
    }

    public Collection<ObjectKey> requestsOf(BucketAccess access) {
        return List.of(key(access.getSpec().bucketRequest()));
    }

    public Collection<ObjectKey> requestsOf(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        return keys(Stream.concat(
                caches.requests.get(namespace, request.getSpec().bucketRequestName()).stream(),
                requestsNaming(request.getSpec().bucketInstance())
                        .filter(object -> object.getMetadata().getNamespace().equals(namespace))));
    }

    /** The requests in the namespace, and those that name the same Buckets: their deletion may wait for the namespace. */
    public Collection<ObjectKey> requestsOf(Namespace namespace) {
        return keys(
                Stream.concat(requestsIn(namespace), bucketNamesIn(namespace).flatMap(this::requestsNaming)));
    }

    // --- Buckets

    /** The Bucket that the request names, and the one that was created for it: tenants can edit the name. */
    public Collection<ObjectKey> bucketsOf(BucketRequest request) {
        return keys(Stream.concat(
                bucketNamed(request.getSpec().bucketInstanceName()),
                caches.bucketsFor.get(request.getMetadata().getUid()).stream()));
    }

    /** The Buckets that requests in the namespace name. */
    public Collection<ObjectKey> bucketsOf(Namespace namespace) {
        return keys(bucketNamesIn(namespace).flatMap(this::bucketNamed));
    }

    public Collection<ObjectKey> bucketsOf(BucketAccess access) {
        return keys(bucketNamed(access.getSpec().bucketName()));
    }

    public Collection<ObjectKey> bucketsOf(Secret secret) {
        return keys(
                accessOf(secret).flatMap(access -> bucketNamed(access.getSpec().bucketName())));
    }

    // --- BucketAccessRequests

    public Collection<ObjectKey> accessRequestsOf(BucketRequest request) {
        return keys(caches.accessRequestsThrough(request));
    }

    public Collection<ObjectKey> accessRequestsOf(Bucket bucket) {
        Set<ObjectKey> all = accessRequestsOf(
                caches.accessesOfBucket.get(bucket.getMetadata().getName()).stream());
        requestsNaming(bucket.getMetadata().getName()).forEach(request -> all.addAll(accessRequestsOf(request)));
        return all;
    }

    /** The request it was created for, and those that name it: a restored request waits for the end of its former access. */
    public Collection<ObjectKey> accessRequestsOf(BucketAccess access) {
        Set<ObjectKey> all =
                keys(caches.accessRequestsNaming.get(access.getMetadata().getName()).stream());
        all.add(new ObjectKey(
                access.getSpec().bucketAccessRequestNamespace(),
                access.getSpec().bucketAccessRequestName(),
                access.getSpec().bucketAccessRequestUid()));
        return all;
    }

    public Collection<ObjectKey> accessRequestsOf(BucketAccessClass accessClass) {
        return keys(caches.accessRequestsOfClass.get(accessClass.getMetadata().getName()).stream());
    }

    /** The request of its access, and the one that wants a Secret of this name and may wait for the deletion of this one. */
    public Collection<ObjectKey> accessRequestsOf(Secret secret) {
        String name =
                secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName();
        return accessRequestsOf(Stream.concat(accessOf(secret), caches.accessesOfSecret.get(name).stream()));
    }

    public Collection<ObjectKey> accessRequestsOf(Namespace namespace) {
        return keys(caches.accessRequestsIn.get(namespace.getMetadata().getName()).stream());
    }

    // --- BucketAccesses

    public Collection<ObjectKey> accessesOf(BucketAccessRequest request) {
        return keys(caches.accessesFor.get(request.getMetadata().getUid()).stream());
    }

    public Collection<ObjectKey> accessesOf(Bucket bucket) {
        return keys(caches.accessesOfBucket.get(bucket.getMetadata().getName()).stream());
    }

    public Collection<ObjectKey> accessesOf(Secret secret) {
        return keys(accessOf(secret));
    }

    private Set<ObjectKey> accessRequestsOf(Stream<BucketAccess> accesses) {
        return accesses.flatMap(access -> accessRequestsOf(access).stream())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Stream<BucketRequest> requestsNaming(String bucket) {
        return caches.requestsNaming.get(bucket).stream();
    }

    private Stream<BucketRequest> requestsIn(Namespace namespace) {
        return caches.requestsIn.get(namespace.getMetadata().getName()).stream();
    }

    /** Each name once, although a tenant may create thousands of requests that name one Bucket. */
    private Stream<String> bucketNamesIn(Namespace namespace) {
        return requestsIn(namespace)
                .map(request -> request.getSpec().bucketInstanceName())
                .distinct();
    }

    private Stream<Bucket> bucketNamed(String name) {
        return caches.bucket(name).stream();
    }

    private Stream<BucketAccess> accessOf(Secret secret) {
        return caches.accessesByUid.get(Metadata.label(secret, CosiNames.BUCKET_ACCESS_UID)).stream();
    }

    private static Set<ObjectKey> keys(Stream<? extends HasMetadata> objects) {
        return objects.map(ObjectKey::of).collect(Collectors.toCollection(HashSet::new));
    }

    private static ObjectKey key(BucketRequestRef request) {
        return new ObjectKey(request.namespace(), request.name(), request.uid());
    }
}
