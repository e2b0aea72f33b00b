package io.bucketwright.store.s3;

import io.bucketwright.store.Usage;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.GetBucketTaggingResponse;
import software.amazon.awssdk.services.s3.model.ListBucketsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;

/** The buckets of an S3 store, their ownership tags and their usage. Uses the S3 API only. */
record Buckets(SessionBucket bucket, String region) {

    /** The default region, which must not be sent as a location constraint. */
    private static final String DEFAULT_REGION = "us-east-1";

    private static final int MAX_USAGE_PAGES = 20;

    /**
     * The ownership tags of a bucket; empty if it does not exist.
     *
     * @throws Taken if the bucket belongs to another account of the store
     * @throws Denied if the store forbids reading the tags
     */
    Optional<OwnershipTags> ownership() {
        try {
            Optional<OwnershipTags> found = tags().map(OwnershipTags::read);
            return found.filter(tags -> !(tags instanceof OwnershipTags.Untagged) || exists());
        } catch (Denied e) {
            if (isOfAnotherAccount()) {
                throw new Taken(
                        "The bucket " + bucket + " already exists and belongs to another account of the store.");
            }
            throw e;
        }
    }

    /**
     * The ownership tags of a bucket that must exist.
     *
     * @throws NotFound if it does not
     */
    OwnershipTags requireOwnership() {
        return ownership().orElseThrow(this::missing);
    }

    /** Asked only of a bucket without tags: some stores respond that a bucket which does not exist has none. */
    private boolean exists() {
        return Absence.toEmpty(() -> bucket.send(
                        "list the bucket " + bucket,
                        s3 -> s3.listObjectsV2(
                                request -> request.bucket(bucket.text()).maxKeys(1))))
                .isPresent();
    }

    /** All tags of a bucket that was just created. */
    Map<String, String> tagsOfCreated() {
        return tags().orElseThrow(
                        () -> new Unavailable("The bucket " + bucket + " was deleted right after its creation."));
    }

    /**
     * Checks that principals can use the bucket.
     *
     * @throws Denied if another account owns it
     */
    void requireOwnAccount() {
        if (isOfAnotherAccount()) {
            throw new Denied(
                    "The bucket " + bucket + " belongs to another account of AWS, and the policy of a user denies"
                            + " buckets of other accounts. Name a bucket of the administrator's account in the class.");
        }
    }

    /** Whether the administrator's credentials are accepted, and the account does not own the bucket. */
    private boolean isOfAnotherAccount() {
        try {
            ListBucketsResponse response =
                    bucket.send("list the buckets", s3 -> s3.listBuckets(request -> request.prefix(bucket.text())));
            return StoreRequest.list("list the buckets", response.hasBuckets(), response.buckets()).stream()
                    .noneMatch(owned -> owned.name().equals(bucket.text()));
        } catch (StoreException unknown) {
            return false;
        }
    }

    /**
     * Creates a bucket with ownership tags in the same request. Some stores ignore the tags.
     *
     * @throws Taken if a bucket of that name exists
     */
    void create(OwnershipTags ownership, BucketOptions options) {
        CreateBucketConfiguration.Builder configuration =
                CreateBucketConfiguration.builder().tags(sdkTags(ownership.tags()));
        if (!region.equals(DEFAULT_REGION)) {
            configuration.locationConstraint(region);
        }
        boolean lock = options.find(ObjectLock.class).isPresent();
        bucket.send(
                "create the bucket " + bucket,
                s3 -> s3.createBucket(request -> request.bucket(bucket.text())
                        .createBucketConfiguration(configuration.build())
                        .objectLockEnabledForBucket(lock ? true : null)));
    }

    /** Replaces the ownership tags and keeps the others. */
    void setOwnership(OwnershipTags ownership) {
        setOwnership(ownership, requireTags());
    }

    /**
     * Replaces the ownership tags and keeps the others.
     *
     * @param tags all tags of the bucket, which were just read
     */
    void setOwnership(OwnershipTags ownership, Map<String, String> tags) {
        putTags(ownership.mergedInto(tags));
    }

    /** Adds tags to the existing ones. */
    void addTags(Map<String, String> more) {
        Map<String, String> tags = new TreeMap<>(requireTags());
        Map<String, String> before = Map.copyOf(tags);
        tags.putAll(more);
        if (!tags.equals(before)) {
            putTags(tags);
        }
    }

    /** Removes tags by their keys and keeps the others, ownership tags in any case. */
    void removeTags(Set<String> keys) {
        Map<String, String> tags = new TreeMap<>(requireTags());
        if (tags.keySet().removeIf(key -> keys.contains(key) && !key.startsWith(Tags.RESERVED))) {
            putTags(tags);
        }
    }

    /** Deletes the bucket if it exists. */
    void delete() {
        Absence.ignore(() -> bucket.send(
                "delete the bucket " + bucket, s3 -> s3.deleteBucket(request -> request.bucket(bucket.text()))));
    }

    Usage usage() {
        long bytes = 0;
        long objects = 0;
        String token = "";
        for (int page = 0; page < MAX_USAGE_PAGES; page++) {
            String next = token;
            ListObjectsV2Response listed = bucket.send(
                    "list the bucket " + bucket,
                    s3 -> s3.listObjectsV2(
                            request -> request.bucket(bucket.text()).continuationToken(next.isEmpty() ? null : next)));
            objects += listed.contents().size();
            bytes += listed.contents().stream().mapToLong(S3Object::size).sum();
            if (!Boolean.TRUE.equals(listed.isTruncated())) {
                return new Usage(bytes, objects, true);
            }
            token = listed.nextContinuationToken();
        }
        return new Usage(bytes, objects, false);
    }

    private Map<String, String> requireTags() {
        return tags().orElseThrow(this::missing);
    }

    private NotFound missing() {
        return new NotFound("The bucket " + bucket + " does not exist.");
    }

    /**
     * All tags of the bucket, including ownership tags; empty if the store responds that the bucket does not exist. Some
     * respond then that it has no tags.
     */
    Optional<Map<String, String>> tags() {
        String action = "read the tags of the bucket " + bucket;
        return Absence.toEmpty(() -> bucket.send(action, s3 -> {
            try {
                GetBucketTaggingResponse response = s3.getBucketTagging(request -> request.bucket(bucket.text()));
                return StoreRequest.list(action, response.hasTagSet(), response.tagSet()).stream()
                        .collect(Collectors.toMap(Tag::key, Tag::value));
            } catch (S3Exception e) {
                // Both "no tags" and "no bucket" are 404 responses; the error code distinguishes them.
                if (StoreRequest.code(e).startsWith("NoSuchTagSet")) {
                    return Map.of();
                }
                throw e;
            }
        }));
    }

    private void putTags(Map<String, String> tags) {
        bucket.send(
                "tag the bucket " + bucket,
                s3 -> s3.putBucketTagging(
                        request -> request.bucket(bucket.text()).tagging(tagging -> tagging.tagSet(sdkTags(tags)))));
    }

    private static Collection<Tag> sdkTags(Map<String, String> tags) {
        return new TreeMap<>(tags)
                .entrySet().stream()
                        .map(tag -> Tag.builder()
                                .key(tag.getKey())
                                .value(tag.getValue())
                                .build())
                        .toList();
    }
}
