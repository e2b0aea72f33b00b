package io.bucketwright.app.claim;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What in this cluster uses the buckets of the store of a class: ObjectBucketClaims, ObjectBuckets and Buckets of both APIs
 * of COSI. If one of them cannot be listed, nothing is known, and reading them fails. A Bucket of COSI and an ObjectBucket
 * of another provisioner do not say where their store is, so one with the name of a bucket counts as its user. An address proves
 * nothing either: another one may reach the same store, and then the ownership tags there decide.
 */
record BucketUsers(
        String clusterId,
        BucketClass bucketClass,
        StoreSource stores,
        List<ObjectBucketClaim> claims,
        List<ObjectBucket> objectBuckets,
        List<Bucket> cosiBuckets,
        List<ReleasedBucket> releasedBuckets) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    static BucketUsers read(ClaimClient client, StoreSource stores, BucketClass bucketClass) {
        return new BucketUsers(
                client.clusterId(),
                bucketClass,
                stores,
                client.claims(""),
                client.allObjectBuckets(),
                client.allOf(Bucket.class),
                client.allOf(ReleasedBucket.class));
    }

    /**
     * The users of a bucket, each by kind and name; empty if nothing in this cluster uses it.
     *
     * @param tags its ownership tags
     */
    List<String> of(String bucket, OwnershipTags tags) {
        return of(bucket, tags.currentOwner(), () -> tags);
    }

    private List<String> of(String bucket, Optional<BucketOwner> tagged, Supplier<OwnershipTags> tags) {
        Optional<String> owner =
                tagged.filter(found -> found.clusterId().equals(clusterId)).map(BucketOwner::uid);
        List<BucketIntent> intents = objectBuckets.stream()
                .flatMap(found -> found.getSpec().recordedIntent().stream())
                .filter(intent -> owner.filter(intent.claimUid()::equals).isPresent()
                        || (intent.bucketName().equals(bucket) && isSameBucket(intent, tags)))
                .toList();
        Stream<String> byOthers = objectBuckets.stream()
                .filter(found -> found.getSpec().recordedIntent().isEmpty())
                .filter(found -> found.getSpec()
                        .reachableAt()
                        .flatMap(BucketEndpoint::bucket)
                        .filter(bucket::equals)
                        .isPresent())
                .map(found -> "ObjectBucket " + found.getMetadata().getName());
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
        return Stream.of(byRecord, byOthers, byClaim, byCosi, byReleased)
                .flatMap(found -> found)
                .map(ClaimText::plain)
                .distinct()
                .toList();
    }

    /** Refuses a bucket that something in this cluster uses. */
    void requireUnused(String bucket, OwnershipTags tags) {
        requireNone(bucket, of(bucket, tags));
    }

    /** As {@link #requireUnused(String, OwnershipTags)}; the store is asked for the tags only if they matter. */
    void requireUnused(String bucket) {
        requireNone(bucket, of(bucket, Optional.empty(), () -> tags(bucketClass, bucket)));
    }

    private static void requireNone(String bucket, List<String> users) {
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

    /**
     * Whether the ObjectBucket may mean the same bucket. It does not if its store has no bucket of that name, or one whose tags
     * name another owner.
     */
    private boolean isSameBucket(BucketIntent intent, Supplier<OwnershipTags> tags) {
        try {
            BucketClass recorded = BucketClass.of(intent);
            if (stores.of(recorded).location().equals(stores.of(bucketClass).location())) {
                return true;
            }
            Optional<OwnershipTags> theirs = find(recorded, intent.bucketName());
            return theirs.isPresent() && !areOfDifferentBuckets(theirs.get(), tags.get());
        } catch (StoreException unknown) {
            return true;
        }
    }

    private OwnershipTags tags(BucketClass ofBucket, String bucket) {
        return find(ofBucket, bucket).orElse(new OwnershipTags.Untagged());
    }

    private Optional<OwnershipTags> find(BucketClass ofBucket, String bucket) {
        StoreCall call = StoreCall.within(LIMIT);
        BucketName name = new BucketName(bucket);
        return stores.of(ofBucket)
                .use(store -> store.call(StoreOperation.FIND_BUCKET, call, s -> s.findBucket(call, name)))
                .map(ListedBucket::tags);
    }

    private static boolean areOfDifferentBuckets(OwnershipTags one, OwnershipTags other) {
        boolean readable = Stream.of(one, other).noneMatch(OwnershipTags.Unreadable.class::isInstance);
        return readable && !owner(one).equals(owner(other));
    }

    private static Optional<BucketOwner> owner(OwnershipTags tags) {
        return tags instanceof OwnershipTags.Released released ? Optional.of(released.owner()) : tags.currentOwner();
    }
}
