package io.bucketwright.app.claim;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.command.CommandException;
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
 * What in this cluster uses the buckets of the store of a class: ObjectBucketClaims, ObjectBuckets and Buckets of both APIs
 * of COSI. If one of them cannot be listed, nothing is known, and reading them fails. A Bucket of COSI does not say where
 * its store is, so one with the name of a bucket counts as its user.
 */
record BucketUsers(
        String clusterId,
        BucketClass bucketClass,
        ClassStores stores,
        List<ObjectBucketClaim> claims,
        List<ObjectBucket> objectBuckets,
        List<Bucket> cosiBuckets,
        List<ReleasedBucket> releasedBuckets) {

    static BucketUsers read(ClaimClient client, ClassStores stores, BucketClass bucketClass) {
        return new BucketUsers(
                client.clusterId(),
                bucketClass,
                stores,
                client.all(),
                client.allObjectBuckets(),
                client.allBuckets(Bucket.class),
                client.allBuckets(ReleasedBucket.class));
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
                .map(found -> "Bucket of cosi.io " + found.getMetadata().getName());
        Stream<String> byReleased = releasedBuckets.stream()
                .filter(found -> Stream.of(
                                found.getMetadata().getName(),
                                found.status().bucketID(),
                                found.spec().existingBucketID())
                        .anyMatch(bucket::equals))
                .map(found ->
                        "Bucket of objectstorage.k8s.io " + found.getMetadata().getName());
        return Stream.of(byRecord, byClaim, byCosi, byReleased)
                .flatMap(found -> found)
                .map(ClaimText::plain)
                .distinct()
                .toList();
    }

    /** Refuses a bucket that something in this cluster uses. */
    void requireUnused(String bucket, OwnershipTags tags) {
        List<String> users = of(bucket, tags);
        if (!users.isEmpty()) {
            throw new CommandException(
                    "Bucket " + bucket + " is not orphaned. It is used by: " + String.join(", ", users) + ".");
        }
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
