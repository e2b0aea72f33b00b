package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whom a change matters to. */
record Related(CosiCaches caches) {

    // --- to a BucketRequest

    /** Those that share the same Bucket. */
    Collection<ObjectKey> requestsOf(BucketRequest request) {
        return keys(requestsNaming(request.getSpec().bucketInstanceName()));
    }

    Collection<ObjectKey> requestsOf(Bucket bucket) {
        Set<ObjectKey> all =
                new HashSet<>(keys(requestsNaming(bucket.getMetadata().getName())));
        bucket.getSpec()
                .madeFor()
                .map(creator -> new ObjectKey(creator.namespace(), creator.name(), creator.uid()))
                .ifPresent(all::add);
        return all;
    }

    /** Those that name it, and those that name none. */
    Collection<ObjectKey> requestsOf(BucketClass bucketClass) {
        return keys(Stream.concat(
                caches.requestsOfClass.get(bucketClass.getMetadata().getName()).stream(),
                caches.requestsOfClass.get("").stream()));
    }

    Collection<ObjectKey> requestsOf(BucketAccess access) {
        return List.of(new ObjectKey(
                access.getSpec().bucketRequest().namespace(),
                access.getSpec().bucketRequest().name(),
                access.getSpec().bucketRequest().uid()));
    }

    Collection<ObjectKey> requestsOf(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        return keys(Stream.concat(
                caches.requests.get(namespace, request.getSpec().bucketRequestName()).stream(),
                requestsNaming(request.getSpec().bucketInstance())
                        .filter(it -> it.getMetadata().getNamespace().equals(namespace))));
    }

    Collection<ObjectKey> requestsOf(Namespace namespace) {
        return keys(caches.requestsIn.get(namespace.getMetadata().getName()).stream());
    }

    // --- to a Bucket

    Collection<ObjectKey> bucketsOf(BucketRequest request) {
        return keys(bucketNamed(request.getSpec().bucketInstanceName()));
    }

    Collection<ObjectKey> bucketsOf(BucketAccess access) {
        return keys(bucketNamed(access.getSpec().bucketName()));
    }

    Collection<ObjectKey> bucketsOf(Secret secret) {
        return keys(
                accessOf(secret).flatMap(access -> bucketNamed(access.getSpec().bucketName())));
    }

    // --- to a BucketAccessRequest

    Collection<ObjectKey> accessRequestsOf(BucketRequest request) {
        return keys(caches.askingThrough(request));
    }

    Collection<ObjectKey> accessRequestsOf(Bucket bucket) {
        Set<ObjectKey> all = new HashSet<>();
        caches.accessesOfBucket(bucket.getMetadata().getName()).forEach(access -> all.addAll(accessRequestsOf(access)));
        requestsNaming(bucket.getMetadata().getName()).forEach(request -> all.addAll(accessRequestsOf(request)));
        return all;
    }

    Collection<ObjectKey> accessRequestsOf(BucketAccess access) {
        return List.of(new ObjectKey(
                access.getSpec().bucketAccessRequestNamespace(),
                access.getSpec().bucketAccessRequestName(),
                access.getSpec().bucketAccessRequestUid()));
    }

    Collection<ObjectKey> accessRequestsOf(BucketAccessClass accessClass) {
        return keys(caches.accessRequestsOfClass.get(accessClass.getMetadata().getName()).stream());
    }

    /** That of its access, and the one that wants a Secret of this name: it may wait for this one to be gone. */
    Collection<ObjectKey> accessRequestsOf(Secret secret) {
        Set<ObjectKey> all = new HashSet<>();
        String name =
                secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName();
        Stream.concat(accessOf(secret), caches.accessesOfSecret.get(name).stream())
                .forEach(access -> all.addAll(accessRequestsOf(access)));
        return all;
    }

    Collection<ObjectKey> accessRequestsOf(Namespace namespace) {
        return keys(caches.accessRequestsIn.get(namespace.getMetadata().getName()).stream());
    }

    // --- to a BucketAccess

    Collection<ObjectKey> accessesOf(BucketAccessRequest request) {
        return keys(caches.accessesFor(request.getMetadata().getUid()).stream());
    }

    Collection<ObjectKey> accessesOf(Bucket bucket) {
        return keys(caches.accessesOfBucket(bucket.getMetadata().getName()).stream());
    }

    Collection<ObjectKey> accessesOf(Secret secret) {
        return keys(accessOf(secret));
    }

    private Stream<BucketRequest> requestsNaming(String bucket) {
        return caches.requestsNaming(bucket).stream();
    }

    private Stream<Bucket> bucketNamed(String name) {
        return name.isEmpty() ? Stream.empty() : caches.buckets.get("", name).stream();
    }

    private Stream<BucketAccess> accessOf(Secret secret) {
        return caches.accessesByUid.get(Marks.label(secret, CosiNames.BUCKET_ACCESS_UID)).stream();
    }

    private static Set<ObjectKey> keys(Stream<? extends HasMetadata> objects) {
        return objects.map(ObjectKey::of).collect(Collectors.toSet());
    }
}
