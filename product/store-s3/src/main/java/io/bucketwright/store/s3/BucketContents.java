package io.bucketwright.store.s3;

import io.bucketwright.store.Progress;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.PageDeletion.Result;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/** The contents of a bucket: objects, old versions, delete markers and incomplete multipart uploads. */
record BucketContents(SessionBucket bucket, Duration slice) {

    /** One call deletes for this long. The last batch may start just before the end, so a call takes up to two seconds. */
    static final Duration SLICE = Duration.ofMillis(1_200);

    /** The most that is in memory at a time, and the most that S3 lists with one request. */
    static final int PAGE = 1_000;

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private static final char REPLACEMENT = '\uFFFD';

    BucketContents(SessionBucket bucket) {
        this(bucket, SLICE);
    }

    boolean isEmpty() {
        return versions(Marker.BEGINNING, 1).entries().isEmpty() && uploads(1).isEmpty();
    }

    /**
     * Where a list of versions or uploads begins.
     *
     * @param key null for the beginning
     * @param id of the version or upload
     */
    private record Marker(@Nullable String key, @Nullable String id) {
        static final Marker BEGINNING = new Marker(null, null);

        boolean isBeginning() {
            return key == null || key.isEmpty();
        }
    }

    /** @param next empty if this page is the last one */
    private record Page<T>(List<T> entries, Optional<Marker> next) {

        static <T> Page<T> of(List<T> entries, @Nullable Boolean truncated, Marker next) {
            return new Page<>(entries, Boolean.TRUE.equals(truncated) ? Optional.of(next) : Optional.empty());
        }

        static <T> Page<T> empty() {
            return new Page<>(List.of(), Optional.empty());
        }

        /** All keys, with the one where the list continues. */
        Stream<String> keys(Function<T, String> key) {
            return Stream.concat(
                    entries.stream().map(key), next.stream().flatMap(marker -> Stream.ofNullable(marker.key())));
        }
    }

    /**
     * Deletes one slice of the contents: page by page, always the first one that can be deleted. The next call continues
     * without a record of this one.
     *
     * @throws NotEmpty if everything that is left cannot be deleted, because of object lock
     */
    Progress deleteSlice() {
        long end = System.nanoTime() + slice.toNanos();
        Result sum = Result.NONE;
        Optional<Marker> from = Optional.of(Marker.BEGINNING);
        List<?> last = List.of();
        try (PageDeletion deletion = new PageDeletion(bucket)) {
            do {
                Page<ObjectIdentifier> page =
                        from.map(marker -> versions(marker, PAGE)).orElseGet(Page::empty);
                List<MultipartUpload> uploads = page.entries().isEmpty() ? uploads(PAGE) : List.of();
                if (page.entries().isEmpty() && uploads.isEmpty()) {
                    return done(sum);
                }
                List<?> listed = uploads.isEmpty() ? page.entries() : uploads;
                if (listed.equals(last)) {
                    String first = uploads.isEmpty()
                            ? page.entries().getFirst().key()
                            : uploads.getFirst().key();
                    throw new NotEmpty("The bucket " + bucket
                            + " holds objects or uploads that the store lists and does not delete. The first is "
                            + InputText.quote(first) + ".");
                }
                last = listed;
                Result deleted = uploads.isEmpty() ? deletion.deleteVersions(page.entries()) : deletion.abort(uploads);
                if (deleted.refused() > 0) {
                    // What cannot be deleted stays at the beginning of the list: continue behind it.
                    from = page.next();
                }
                sum = sum.plus(deleted);
            } while (System.nanoTime() < end
                    || (sum.removed() == 0 && bucket.call().remaining().compareTo(RESERVE) > 0));
        }
        return sum.removed() > 0 ? new Progress.More(sum.removed()) : done(sum);
    }

    /** Everything is deleted that can be. */
    private Progress done(Result sum) {
        if (sum.refused() == 0) {
            return new Progress.Done();
        }
        throw new NotEmpty("The bucket " + bucket + " holds " + sum.refused()
                + " or more versions of objects that the store does not delete, because of object lock or a missing"
                + " permission. One is " + sum.example() + ".");
    }

    private Page<ObjectIdentifier> versions(Marker from, int limit) {
        return firstEntries(
                from,
                marker -> readable(
                        encoding -> versions(marker, limit, encoding), page -> page.keys(ObjectIdentifier::key)));
    }

    private Page<ObjectIdentifier> versions(Marker from, int limit, @Nullable EncodingType encoding) {
        ListObjectVersionsResponse response = bucket.send(
                "list the bucket " + bucket,
                s3 -> s3.listObjectVersions(request -> request.bucket(bucket.text())
                        .keyMarker(from.key())
                        .versionIdMarker(from.id())
                        .maxKeys(limit)
                        .encodingType(encoding)));
        List<ObjectIdentifier> versions = Stream.concat(
                        response.versions().stream().map(version -> identifier(version.key(), version.versionId())),
                        response.deleteMarkers().stream().map(marker -> identifier(marker.key(), marker.versionId())))
                .toList();
        return Page.of(
                versions, response.isTruncated(), new Marker(response.nextKeyMarker(), response.nextVersionIdMarker()));
    }

    private List<MultipartUpload> uploads(int limit) {
        return firstEntries(
                        Marker.BEGINNING,
                        marker -> readable(
                                encoding -> uploads(marker, limit, encoding), page -> page.keys(MultipartUpload::key)))
                .entries();
    }

    private Page<MultipartUpload> uploads(Marker from, int limit, @Nullable EncodingType encoding) {
        ListMultipartUploadsResponse response = bucket.send(
                "list the uploads of " + bucket,
                s3 -> s3.listMultipartUploads(request -> request.bucket(bucket.text())
                        .keyMarker(from.key())
                        .uploadIdMarker(from.id())
                        .maxUploads(limit)
                        .encodingType(encoding)));
        return Page.of(
                response.uploads(),
                response.isTruncated(),
                new Marker(response.nextKeyMarker(), response.nextUploadIdMarker()));
    }

    /**
     * The first page with entries, or the last one. A page without entries is not the end of a list that continues: some
     * stores read a limited number of deleted entries for each page. The call limits how many pages are read.
     *
     * @throws Unavailable if the list does not continue behind an empty page
     */
    private <T> Page<T> firstEntries(Marker from, Function<Marker, Page<T>> list) {
        Marker marker = from;
        Page<T> page = list.apply(marker);
        while (page.entries().isEmpty() && page.next().isPresent()) {
            Marker next = page.next().get();
            if (next.isBeginning() || next.equals(marker)) {
                throw new Unavailable("Could not list the bucket " + bucket + ": the store sent an empty page of a list"
                        + " that is not complete, and not where the list continues. Check the store, and a proxy in"
                        + " front of it.");
            }
            marker = next;
            page = list.apply(marker);
        }
        return page;
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
