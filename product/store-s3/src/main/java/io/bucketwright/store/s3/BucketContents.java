package io.bucketwright.store.s3;

import io.bucketwright.store.ContentsDeletion;
import io.bucketwright.store.Progress;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
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

/** The contents of a bucket: objects, old versions, delete markers and incomplete multipart uploads. */
record BucketContents(SessionBucket bucket, Duration slice) {

    /** The most that is in memory at a time, and the most that S3 lists with one request. */
    static final int PAGE = 1_000;

    private static final char REPLACEMENT = '\uFFFD';

    BucketContents(SessionBucket bucket) {
        this(bucket, ContentsDeletion.SLICE);
    }

    /**
     * A version, a delete marker or an upload.
     *
     * @param id of the version or upload; null if the store has none
     */
    record Entry(String key, @Nullable String id, boolean upload) {}

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
    private record Page(List<Entry> entries, Optional<Marker> next) {

        static Page of(Stream<Entry> entries, @Nullable Boolean truncated, Marker next) {
            return new Page(entries.toList(), Boolean.TRUE.equals(truncated) ? Optional.of(next) : Optional.empty());
        }

        /** All keys, with the one where the list continues. */
        Stream<String> keys() {
            return Stream.concat(
                    entries.stream().map(Entry::key), next.stream().flatMap(marker -> Stream.ofNullable(marker.key())));
        }
    }

    boolean isEmpty() {
        return versions(Marker.BEGINNING, 1).entries().isEmpty()
                && uploads(1).entries().isEmpty();
    }

    /**
     * Deletes one slice of the contents.
     *
     * @throws NotEmpty if everything that is left cannot be deleted, because of object lock
     */
    Progress deleteSlice() {
        try (PageDeletion deletion = new PageDeletion(this)) {
            return new ContentsDeletion(bucket.call(), slice, PAGE).run(deletion);
        }
    }

    /** The first page of versions, or of uploads if there are no versions. */
    ContentsDeletion.Page<Entry> first() {
        return page(Marker.BEGINNING);
    }

    private ContentsDeletion.Page<Entry> page(Marker from) {
        Page versions = versions(from, PAGE);
        return versions.entries().isEmpty()
                ? firstUploads()
                : new ContentsDeletion.Page<>(
                        versions.entries(),
                        Optional.of(() -> versions.next().map(this::page).orElseGet(this::firstUploads)));
    }

    private ContentsDeletion.Page<Entry> firstUploads() {
        return new ContentsDeletion.Page<>(uploads(PAGE).entries(), Optional.empty());
    }

    private Page versions(Marker from, int limit) {
        return firstEntries(from, marker -> readable(encoding -> versions(marker, limit, encoding)));
    }

    private Page versions(Marker from, int limit, @Nullable EncodingType encoding) {
        ListObjectVersionsResponse response = bucket.send(
                "list the bucket " + bucket,
                s3 -> s3.listObjectVersions(request -> request.bucket(bucket.text())
                        .keyMarker(from.key())
                        .versionIdMarker(from.id())
                        .maxKeys(limit)
                        .encodingType(encoding)));
        return Page.of(
                Stream.concat(
                        response.versions().stream()
                                .map(version -> new Entry(version.key(), version.versionId(), false)),
                        response.deleteMarkers().stream()
                                .map(marker -> new Entry(marker.key(), marker.versionId(), false))),
                response.isTruncated(),
                new Marker(response.nextKeyMarker(), response.nextVersionIdMarker()));
    }

    private Page uploads(int limit) {
        return firstEntries(Marker.BEGINNING, marker -> readable(encoding -> uploads(marker, limit, encoding)));
    }

    private Page uploads(Marker from, int limit, @Nullable EncodingType encoding) {
        ListMultipartUploadsResponse response = bucket.send(
                "list the uploads of " + bucket,
                s3 -> s3.listMultipartUploads(request -> request.bucket(bucket.text())
                        .keyMarker(from.key())
                        .uploadIdMarker(from.id())
                        .maxUploads(limit)
                        .encodingType(encoding)));
        return Page.of(
                response.uploads().stream().map(upload -> new Entry(upload.key(), upload.uploadId(), true)),
                response.isTruncated(),
                new Marker(response.nextKeyMarker(), response.nextUploadIdMarker()));
    }

    /**
     * The first page with entries, or the last one. A page without entries is not the end of a list that continues: some
     * stores read a limited number of deleted entries for each page. The call limits how many pages are read.
     *
     * @throws Unavailable if the list does not continue behind an empty page
     */
    private Page firstEntries(Marker from, Function<Marker, Page> list) {
        Marker marker = from;
        Page page = list.apply(marker);
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
    private static Page readable(Function<@Nullable EncodingType, Page> list) {
        try {
            Page plain = list.apply(null);
            if (plain.keys().noneMatch(text -> text.indexOf(REPLACEMENT) >= 0)) {
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
}
