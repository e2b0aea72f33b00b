package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The released kinds as the caches show them, and which claims a change concerns. No method sends a request. */
final class BucketClaimCaches {

    final ObjectCache<BucketClaim> claims;
    final ObjectCache<ReleasedBucket> buckets;
    final ObjectCache<ReleasedBucketClass> classes;
    final ObjectCache<ReleasedBucketAccess> accesses;

    /** Claims by the Buckets they name, in spec or status. */
    private final Index<BucketClaim> claimsNaming;

    private final Index<BucketClaim> claimsOfClass;

    /** Buckets by the uid of the claim that they are bound to. */
    private final Index<ReleasedBucket> bucketsBoundTo;

    /** Buckets by the {@code <namespace>/<BucketClaim>} that they name. */
    private final Index<ReleasedBucket> bucketsNaming;

    /** Accesses by {@code <namespace>/<BucketClaim>}. */
    private final Index<ReleasedBucketAccess> accessesThrough;

    BucketClaimCaches(ObjectCaches caches) {
        claims = caches.of(BucketClaim.class, Scope.everything());
        buckets = caches.unlimited(ReleasedBucket.class, Scope.everything());
        classes = caches.unlimited(ReleasedBucketClass.class, Scope.everything());
        accesses = caches.of(ReleasedBucketAccess.class, Scope.everything());
        claimsNaming = claims.indexBy(claim -> Stream.of(
                        claim.spec().existingBucketName(), claim.status().bucketName())
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList());
        claimsOfClass = claims.indexBy(claim -> List.of(claim.spec().bucketClassName()));
        bucketsBoundTo = buckets.indexBy(bucket ->
                List.of(BucketReservation.text(bucket.spec().bucketClaim().getUid())));
        bucketsNaming = buckets.indexBy(bucket ->
                List.of(BucketReservation.text(bucket.spec().bucketClaim().getNamespace()) + "/"
                        + BucketReservation.text(bucket.spec().bucketClaim().getName())));
        accessesThrough = accesses.indexBy(access -> List.of(
                access.getMetadata().getNamespace() + "/" + access.spec().bucketClaimName()));
    }

    /**
     * The Bucket that is bound to the claim; with several of them, which v0.2.2 leaves after an upgrade, the one in its status,
     * else the first that is ready. If there is none, a restored one of a claim of this name; then the Bucket that the claim
     * names, or the one that has the name of a new one.
     */
    Optional<ReleasedBucket> bucketOf(BucketClaim claim) {
        String current = claim.status().bucketName();
        String wanted = claim.spec().existingBucketName();
        return bucketsBoundTo.get(claim.getMetadata().getUid()).stream()
                .min(Comparator.comparing((ReleasedBucket bucket) ->
                                !bucket.getMetadata().getName().equals(current))
                        .thenComparing(bucket -> !bucket.status().bucketReady())
                        .thenComparing(bucket -> bucket.getMetadata().getName()))
                .or(() -> bucketsNaming.get(place(claim)).stream()
                        .filter(bucket -> BucketReservation.of(bucket, claim) == BucketReservation.RESTORED)
                        .min(Comparator.comparing(bucket -> bucket.getMetadata().getName())))
                .or(() -> buckets.get(
                        "",
                        wanted.isEmpty()
                                ? ReleasedNames.bucketOf(claim.getMetadata().getUid())
                                : wanted));
    }

    /** The BucketAccesses through the claim. */
    Collection<ReleasedBucketAccess> accessesOf(BucketClaim claim) {
        return accessesThrough.get(place(claim));
    }

    private static String place(BucketClaim claim) {
        return claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
    }

    Collection<ObjectKey> claimsOf(ReleasedBucket bucket) {
        Set<ObjectKey> keys = keys(claimsNaming.get(bucket.getMetadata().getName()).stream());
        String namespace = BucketReservation.text(bucket.spec().bucketClaim().getNamespace());
        String name = BucketReservation.text(bucket.spec().bucketClaim().getName());
        claims.get(namespace, name).map(ObjectKey::of).ifPresent(keys::add);
        return keys;
    }

    Collection<ObjectKey> claimsOf(ReleasedBucketClass bucketClass) {
        return keys(claimsOfClass.get(bucketClass.getMetadata().getName()).stream());
    }

    Collection<ObjectKey> claimsOf(ReleasedBucketAccess access) {
        return keys(
                claims.get(access.getMetadata().getNamespace(), access.spec().bucketClaimName()).stream());
    }

    private static Set<ObjectKey> keys(Stream<? extends HasMetadata> objects) {
        return objects.map(ObjectKey::of).collect(Collectors.toCollection(HashSet::new));
    }
}
