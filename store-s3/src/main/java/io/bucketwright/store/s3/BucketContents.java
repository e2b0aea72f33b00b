package io.bucketwright.store.s3;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.PageDeletion.Result;
import io.bucketwright.store.s3.client.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/** The contents of a bucket: objects, old versions, delete markers and incomplete multipart uploads. */
record BucketContents(S3Client s3, Duration slice) {

    /** One call deletes for this long. The last batch may start just before the end, so a call takes up to two seconds. */
    static final Duration SLICE = Duration.ofMillis(1_200);

    /** The most that is in memory at a time, and the most that S3 lists with one request. */
    static final int PAGE = 1_000;

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private static final char REPLACEMENT = '\uFFFD';

    BucketContents(S3Client s3) {
        this(s3, SLICE);
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return versions(call, bucket, Marker.BEGINNING, 1).versions().isEmpty()
                && uploads(call, bucket, 1).isEmpty();
    }

    /**
     * Where a list of versions begins.
     *
     * @param key null for the beginning
     */
    private record Marker(@Nullable String key, @Nullable String version) {
        static final Marker BEGINNING = new Marker(null, null);
    }

    /** @param next empty if this page is the last one */
    private record Page(List<ObjectIdentifier> versions, Optional<Marker> next) {
        static final Page EMPTY = new Page(List.of(), Optional.empty());
    }

    /**
     * Deletes one slice of the contents: page by page, always the first one that can be deleted. The next call continues
     * without a record of this one.
     *
     * @throws NotEmpty if everything that is left cannot be deleted, because of object lock
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        Result sum = Result.NONE;
        Optional<Marker> from = Optional.of(Marker.BEGINNING);
        List<?> last = List.of();
        try (PageDeletion deletion = new PageDeletion(s3, call, bucket)) {
            do {
                Page page =
                        from.map(marker -> versions(call, bucket, marker, PAGE)).orElse(Page.EMPTY);
                List<MultipartUpload> uploads = page.versions().isEmpty() ? uploads(call, bucket, PAGE) : List.of();
                if (page.versions().isEmpty() && uploads.isEmpty()) {
                    return done(bucket, sum);
                }
                List<?> listed = uploads.isEmpty() ? page.versions() : uploads;
                if (listed.equals(last)) {
                    String first = uploads.isEmpty()
                            ? page.versions().getFirst().key()
                            : uploads.getFirst().key();
                    throw new NotEmpty("The bucket " + bucket
                            + " holds objects or uploads that the store lists and does not delete. The first is "
                            + InputText.quote(first) + ".");
                }
                last = listed;
                Result deleted = uploads.isEmpty() ? deletion.deleteVersions(page.versions()) : deletion.abort(uploads);
                if (deleted.refused() > 0) {
                    // What cannot be deleted stays at the beginning of the list: continue behind it.
                    from = page.next();
                }
                sum = sum.plus(deleted);
            } while (System.nanoTime() < end
                    || (sum.removed() == 0 && call.remaining().compareTo(RESERVE) > 0));
        }
        return sum.removed() > 0 ? new Progress.More(sum.removed()) : done(bucket, sum);
    }

    /** Everything is deleted that can be. */
    private static Progress done(BucketName bucket, Result sum) {
        if (sum.refused() == 0) {
            return new Progress.Done();
        }
        throw new NotEmpty("The bucket " + bucket + " holds " + sum.refused()
                + " or more versions of objects that the store does not delete, because of object lock or a missing"
                + " permission. One is " + sum.example() + ".");
    }

    private Page versions(StoreCall call, BucketName bucket, Marker from, int limit) {
        return readable(
                encoding -> page(list(call, bucket, from, limit, encoding)),
                page -> page.versions().stream().map(ObjectIdentifier::key));
    }

    private ListObjectVersionsResponse list(
            StoreCall call, BucketName bucket, Marker from, int limit, @Nullable EncodingType encoding) {
        return StoreRequest.send(
                call,
                "list the bucket " + bucket,
                limits -> s3.listObjectVersions(request -> request.bucket(bucket.text())
                        .keyMarker(from.key())
                        .versionIdMarker(from.version())
                        .maxKeys(limit)
                        .encodingType(encoding)
                        .overrideConfiguration(limits)));
    }

    private static Page page(ListObjectVersionsResponse response) {
        List<ObjectIdentifier> versions = Stream.concat(
                        response.versions().stream().map(version -> identifier(version.key(), version.versionId())),
                        response.deleteMarkers().stream().map(marker -> identifier(marker.key(), marker.versionId())))
                .toList();
        return new Page(
                versions,
                Boolean.TRUE.equals(response.isTruncated())
                        ? Optional.of(new Marker(response.nextKeyMarker(), response.nextVersionIdMarker()))
                        : Optional.empty());
    }

    private List<MultipartUpload> uploads(StoreCall call, BucketName bucket, int limit) {
        Function<@Nullable EncodingType, List<MultipartUpload>> list = encoding -> StoreRequest.send(
                        call,
                        "list the uploads of " + bucket,
                        limits -> s3.listMultipartUploads(request -> request.bucket(bucket.text())
                                .maxUploads(limit)
                                .encodingType(encoding)
                                .overrideConfiguration(limits)))
                .uploads();
        return readable(list, uploads -> uploads.stream().map(MultipartUpload::key));
    }

    /**
     * Keys can contain characters that XML cannot: the response is not XML then, or has a replacement character. The list is
     * requested again with encoded keys, which the SDK decodes. Not always, because some stores encode spaces and plus signs
     * in another way than the SDK decodes them.
     */
    private static <T> T readable(Function<@Nullable EncodingType, T> list, Function<T, Stream<String>> keys) {
        try {
            T plain = list.apply(null);
            if (keys.apply(plain).noneMatch(text -> text.indexOf(REPLACEMENT) >= 0)) {
                return plain;
            }
        } catch (Unavailable e) {
            if (Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .noneMatch(XMLStreamException.class::isInstance)) {
                throw e;
            }
        }
        return list.apply(EncodingType.URL);
    }

    private static ObjectIdentifier identifier(String key, String versionId) {
        return ObjectIdentifier.builder().key(key).versionId(versionId).build();
    }
}
