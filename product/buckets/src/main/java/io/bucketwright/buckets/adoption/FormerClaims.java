package io.bucketwright.buckets.adoption;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the former claim of a bucket exists. The caches show all claims and ObjectBuckets of the cluster by uid; what they do
 * not show is read from the API server, because a cache can be old.
 */
public record FormerClaims(
        ObjectCache<ObjectBucketClaim> claims, ObjectCache<ObjectBucket> buckets, ObjectReader reader) {

    /**
     * Why the former owner still has a right to the bucket; empty if it is proven that it no longer exists.
     *
     * @param next the claim that wants the bucket; it may have the names of the former one
     */
    Optional<String> existing(BucketName bucket, BucketOwner former, ClaimIdentity formerClaim, BucketOwner next) {
        if (!claims.synced() || !buckets.synced()) {
            return Optional.of("has an owner, and not all claims of the cluster are known yet");
        }
        if (claims.list().stream()
                        .anyMatch(
                                claim -> former.uid().equals(claim.getMetadata().getUid()))
                || read(formerClaim).filter(claim -> isOf(former, claim)).isPresent()) {
            return Optional.of("belongs to a claim that exists");
        }
        if (Stream.concat(buckets.list().stream(), objectBuckets(former, formerClaim))
                .flatMap(found -> RecordedBucket.claimOf(found).stream())
                .anyMatch(claim -> claim.uid().equals(former.uid()))) {
            return Optional.of("belongs to a deleted claim whose ObjectBucket exists; the bucket is released with it");
        }
        return read(formerClaim)
                .filter(claim -> !isOf(next, claim))
                .filter(claim ->
                        claim.getSpec().bucket().filter(bucket.text()::equals).isPresent())
                .map(_ -> "belongs to a claim that was created again under the same name and requests the bucket");
    }

    private Optional<ObjectBucketClaim> read(ClaimIdentity claim) {
        return reader.read(ObjectBucketClaim.class, claim.namespace(), claim.name());
    }

    private static boolean isOf(BucketOwner owner, ObjectBucketClaim claim) {
        return owner.uid().equals(claim.getMetadata().getUid());
    }

    /** Both names that the controller gives. */
    private Stream<ObjectBucket> objectBuckets(BucketOwner former, ClaimIdentity claim) {
        ObjectKey key = new ObjectKey(claim.namespace(), claim.name(), former.uid());
        return Stream.of(false, true)
                .map(taken -> ObjectBucketContent.name(key.namespace(), key.name(), key.uid(), taken))
                .distinct()
                .flatMap(name -> reader.read(ObjectBucket.class, "", name).stream());
    }
}
