package io.bucketwright.store.s3;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.Usage;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;

/** The buckets of an S3 store and their marks, by S3 alone. */
final class Buckets implements AutoCloseable {

    /** The region whose name must not be sent. */
    private static final String NAMELESS_REGION = "us-east-1";

    private static final int USAGE_PAGES = 20;

    private final S3Client s3;
    private final String region;

    Buckets(S3Client s3, String region) {
        this.s3 = s3;
        this.region = region;
    }

    /**
     * Whose the bucket is; empty if there is none.
     *
     * @throws Denied if we may not know, perhaps because it is another account's
     */
    Optional<Mark> mark(StoreCall call, BucketName bucket) {
        return tags(call, bucket).map(Mark::read);
    }

    /**
     * Makes a bucket that bears a mark from its first moment, if the store can do that.
     *
     * @throws Taken if there is one already, whoever's
     */
    void create(StoreCall call, BucketName bucket, Mark mark, BucketOptions options) {
        CreateBucketConfiguration.Builder configuration =
                CreateBucketConfiguration.builder().tags(sdkTags(mark.tags()));
        if (!region.equals(NAMELESS_REGION)) {
            configuration.locationConstraint(region);
        }
        boolean lock = options.find(ObjectLock.class).isPresent();
        Exchange.send(
                call,
                "make the bucket " + bucket,
                limits -> s3.createBucket(request -> request.bucket(bucket.text())
                        .createBucketConfiguration(configuration.build())
                        .objectLockEnabledForBucket(lock ? true : null)
                        .overrideConfiguration(limits)));
    }

    /** Replaces the mark; other tags stay. */
    void mark(StoreCall call, BucketName bucket, Mark mark) {
        putTags(call, bucket, mark.on(requireTags(call, bucket)));
    }

    /** Adds tags to those that are there. */
    void addTags(StoreCall call, BucketName bucket, Map<String, String> more) {
        Map<String, String> tags = new TreeMap<>(requireTags(call, bucket));
        Map<String, String> before = Map.copyOf(tags);
        tags.putAll(more);
        if (!tags.equals(before)) {
            putTags(call, bucket, tags);
        }
    }

    /** Deletes the bucket; that it is gone already is no error. */
    void delete(StoreCall call, BucketName bucket) {
        try {
            Exchange.send(
                    call,
                    "delete the bucket " + bucket,
                    limits -> s3.deleteBucket(
                            request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
        } catch (NotFound gone) {
            // As wanted.
        }
    }

    Usage usage(StoreCall call, BucketName bucket) {
        long bytes = 0;
        long objects = 0;
        String token = "";
        for (int page = 0; page < USAGE_PAGES; page++) {
            String next = token;
            ListObjectsV2Response listed = Exchange.send(
                    call,
                    "list the bucket " + bucket,
                    limits -> s3.listObjectsV2(request -> request.bucket(bucket.text())
                            .continuationToken(next.isEmpty() ? null : next)
                            .overrideConfiguration(limits)));
            objects += listed.contents().size();
            bytes += listed.contents().stream().mapToLong(S3Object::size).sum();
            if (!Boolean.TRUE.equals(listed.isTruncated())) {
                return new Usage(bytes, objects, true);
            }
            token = listed.nextContinuationToken();
        }
        return new Usage(bytes, objects, false);
    }

    @Override
    public void close() {
        s3.close();
    }

    private Map<String, String> requireTags(StoreCall call, BucketName bucket) {
        return tags(call, bucket).orElseThrow(() -> new NotFound("There is no bucket " + bucket + "."));
    }

    /** All tags of the bucket, marks too; empty if there is no bucket. */
    Optional<Map<String, String>> tags(StoreCall call, BucketName bucket) {
        try {
            return Optional.of(Exchange.send(
                    call,
                    "look at the bucket " + bucket,
                    limits -> tagsOrNone(() -> s3.getBucketTagging(
                                    request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                            .tagSet())));
        } catch (NotFound noSuchBucket) {
            return Optional.empty();
        }
    }

    /** A bucket without tags is not found by one code, and a bucket that is not there by another. */
    private static Map<String, String> tagsOrNone(Supplier<Collection<Tag>> request) {
        try {
            return request.get().stream().collect(Collectors.toMap(Tag::key, Tag::value));
        } catch (S3Exception e) {
            if (Exchange.code(e).equals("NoSuchTagSet")) {
                return Map.of();
            }
            throw e;
        }
    }

    private void putTags(StoreCall call, BucketName bucket, Map<String, String> tags) {
        Exchange.send(
                call,
                "tag the bucket " + bucket,
                limits -> s3.putBucketTagging(request -> request.bucket(bucket.text())
                        .tagging(tagging -> tagging.tagSet(sdkTags(tags)))
                        .overrideConfiguration(limits)));
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
