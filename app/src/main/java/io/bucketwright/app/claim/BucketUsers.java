package io.bucketwright.app.claim;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What in this cluster uses the buckets of the store of a class: ObjectBucketClaims, ObjectBuckets and Buckets of COSI. If
 * one of them cannot be listed, nothing is known, and reading them fails.
 */
record BucketUsers(
        String clusterId,
        BucketClass bucketClass,
        ClassStores stores,
        List<ObjectBucketClaim> claims,
        List<ObjectBucket> objectBuckets,
        List<Bucket> cosiBuckets) {

    static BucketUsers read(ClaimClient client, ClassStores stores, BucketClass bucketClass) {
        return new BucketUsers(
                client.clusterId(),
                bucketClass,
                stores,
                client.all(),
                client.allObjectBuckets(),
                client.allCosiBuckets());
    }

    /** The users of a bucket, each by kind and name; empty if nothing in this cluster uses it. */
    List<String> of(String bucket, OwnershipTags tags) {
        Optional<String> owner = tags.currentOwner()
                .filter(found -> found.clusterId().equals(clusterId))
                .map(BucketOwner::uid);
        List<BucketIntent> intents = objectBuckets.stream()
                .flatMap(found -> found.getSpec().recordedIntent().stream())
                .filter(intent -> owner.filter(intent.claimUid()::equals).isPresent()
                        || (intent.bucketName().equals(bucket) && isSameStore(intent)))
                .toList();
        Set<String> recorded = intents.stream().map(BucketIntent::claimUid).collect(Collectors.toSet());
        Stream<String> byRecord = intents.stream()
                .map(intent -> (hasClaim(intent) ? "ObjectBucketClaim " : "ObjectBucket of the deleted claim ")
                        + intent.claimNamespace() + "/" + intent.claimName());
        Stream<String> byClaim = claims.stream()
                .filter(claim -> !recorded.contains(claim.getMetadata().getUid()))
                .filter(claim ->
                        owner.filter(claim.getMetadata().getUid()::equals).isPresent() || isFor(claim, bucket))
                .map(claim -> "ObjectBucketClaim " + ClaimText.key(claim));
        Stream<String> byCosi = cosiBuckets.stream()
                .filter(found -> found.getSpec().protocol().bucketName().equals(bucket))
                .map(found -> "Bucket " + found.getMetadata().getName());
        return Stream.of(byRecord, byClaim, byCosi)
                .flatMap(found -> found)
                .map(ClaimText::plain)
                .distinct()
                .toList();
    }

    private boolean hasClaim(BucketIntent intent) {
        return claims.stream().anyMatch(claim -> claim.getMetadata().getUid().equals(intent.claimUid()));
    }

    /** Whether a claim without ObjectBucket asks for this bucket. */
    private boolean isFor(ObjectBucketClaim claim, String bucket) {
        return claim.getSpec().bucket().filter(bucket::equals).isPresent()
                && claim.getSpec()
                        .storageClass()
                        .filter(bucketClass.name()::equals)
                        .isPresent();
    }

    /** If a recorded parameter is invalid, it may be the same store. */
    private boolean isSameStore(BucketIntent intent) {
        try {
            return stores.of(BucketClass.of(intent))
                    .location()
                    .equals(stores.of(bucketClass).location());
        } catch (Invalid unknown) {
            return true;
        }
    }
}
