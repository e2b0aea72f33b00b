package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2AccessClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2BucketClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of v1alpha2 as the caches show them, and which objects a change concerns. */
final class V1alpha2Caches {

    final ObjectCache<V1alpha2Claim> claims;
    final ObjectCache<V1alpha2Bucket> buckets;
    final ObjectCache<V1alpha2BucketClass> classes;
    final ObjectCache<V1alpha2Access> accesses;
    final ObjectCache<V1alpha2AccessClass> accessClasses;

    private final Index<V1alpha2Claim> claimsByClass;
    private final Index<V1alpha2Claim> claimsByBucket;
    private final Index<V1alpha2Access> accessesByClass;
    /** By {@code <namespace>/<BucketClaim>}. */
    private final Index<V1alpha2Access> accessesByClaim;

    V1alpha2Caches(ObjectCaches caches) {
        claims = caches.of(V1alpha2Claim.class, Scope.everything());
        buckets = caches.unlimited(V1alpha2Bucket.class, Scope.everything());
        classes = caches.unlimited(V1alpha2BucketClass.class, Scope.everything());
        accesses = caches.of(V1alpha2Access.class, Scope.everything());
        accessClasses = caches.unlimited(V1alpha2AccessClass.class, Scope.everything());
        claimsByClass = claims.indexBy(claim -> List.of(claim.spec().bucketClassName()));
        claimsByBucket = claims.indexBy(claim -> List.of(bucketName(claim)));
        accessesByClass = accesses.indexBy(access -> List.of(access.spec().bucketAccessClassName()));
        accessesByClaim = accesses.indexBy(access -> access.spec().bucketClaims().stream()
                .map(claim -> access.getMetadata().getNamespace() + "/" + claim.bucketClaimName())
                .distinct()
                .toList());
    }

    /** The Bucket that the claim is bound to, names, or would create. */
    static String bucketName(V1alpha2Claim claim) {
        return Stream.of(claim.status().boundBucketName(), claim.spec().existingBucketName())
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElseGet(() -> V1alpha2Names.bucketOf(claim.getMetadata().getUid()));
    }

    Optional<V1alpha2Bucket> bucketOf(V1alpha2Claim claim) {
        return buckets.get("", bucketName(claim));
    }

    List<V1alpha2Access> accessesOf(V1alpha2Claim claim) {
        return List.copyOf(accessesByClaim.get(
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName()));
    }

    Collection<ObjectKey> claimKeysOf(V1alpha2Bucket bucket) {
        return keys(claimsByBucket.get(bucket.getMetadata().getName()));
    }

    Collection<ObjectKey> claimKeysOf(V1alpha2BucketClass bucketClass) {
        return keys(claimsByClass.get(bucketClass.getMetadata().getName()));
    }

    Collection<ObjectKey> claimKeysOf(V1alpha2Access access) {
        return keys(claimsOf(access));
    }

    /** The claims that the access names and that exist. */
    List<V1alpha2Claim> claimsOf(V1alpha2Access access) {
        return access.spec().bucketClaims().stream()
                .flatMap(claim -> claims.get(access.getMetadata().getNamespace(), claim.bucketClaimName()).stream())
                .toList();
    }

    Collection<ObjectKey> accessKeysOf(V1alpha2Claim claim) {
        return keys(accessesOf(claim));
    }

    Collection<ObjectKey> accessKeysOf(V1alpha2Bucket bucket) {
        return claimsByBucket.get(bucket.getMetadata().getName()).stream()
                .flatMap(claim -> accessKeysOf(claim).stream())
                .toList();
    }

    Collection<ObjectKey> accessKeysOf(V1alpha2AccessClass accessClass) {
        return keys(accessesByClass.get(accessClass.getMetadata().getName()));
    }

    private static Collection<ObjectKey> keys(Collection<? extends HasMetadata> objects) {
        return objects.stream().map(ObjectKey::of).toList();
    }
}
