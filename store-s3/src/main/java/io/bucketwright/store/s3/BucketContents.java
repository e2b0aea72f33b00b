package io.bucketwright.store.s3;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.client.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** The contents of a bucket: objects, old versions, delete markers and incomplete multipart uploads. */
record BucketContents(S3Client s3, Duration slice) {

    /** One call deletes for this long. The last batch may start just before the end, so a call takes up to two seconds. */
    static final Duration SLICE = Duration.ofMillis(1_200);

    private static final int BATCH = 250;

    private static final char REPLACEMENT = '\uFFFD';

    BucketContents(S3Client s3) {
        this(s3, SLICE);
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return versions(call, bucket, 1).isEmpty() && uploads(call, bucket, 1).isEmpty();
    }

    /**
     * Deletes one slice of the contents.
     *
     * @throws NotEmpty if no object of a batch can be deleted, because of object lock
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        long removed = 0;
        List<ObjectIdentifier> last = List.of();
        do {
            List<ObjectIdentifier> versions = versions(call, bucket, BATCH);
            if (!versions.isEmpty()) {
                if (versions.equals(last)) {
                    throw new NotEmpty("The bucket " + bucket
                            + " holds objects that the store lists and does not delete. The first is "
                            + InputText.quote(versions.getFirst().key()) + ".");
                }
                last = versions;
                removed += delete(call, bucket, versions);
                continue;
            }
            List<MultipartUpload> uploads = uploads(call, bucket, BATCH);
            if (uploads.isEmpty()) {
                return new Progress.Done();
            }
            for (MultipartUpload upload : uploads) {
                abort(call, bucket, upload);
                removed++;
            }
        } while (System.nanoTime() < end);
        return new Progress.More(removed);
    }

    private List<ObjectIdentifier> versions(StoreCall call, BucketName bucket, int limit) {
        Function<@Nullable EncodingType, List<ObjectIdentifier>> list =
                encoding -> versions(call, bucket, limit, encoding);
        return readable(list, ObjectIdentifier::key);
    }

    private List<ObjectIdentifier> versions(
            StoreCall call, BucketName bucket, int limit, @Nullable EncodingType encoding) {
        ListObjectVersionsResponse page = StoreRequest.send(
                call,
                "list the bucket " + bucket,
                limits -> s3.listObjectVersions(request -> request.bucket(bucket.text())
                        .maxKeys(limit)
                        .encodingType(encoding)
                        .overrideConfiguration(limits)));
        return Stream.concat(
                        page.versions().stream().map(version -> identifier(version.key(), version.versionId())),
                        page.deleteMarkers().stream().map(marker -> identifier(marker.key(), marker.versionId())))
                .toList();
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
        return readable(list, MultipartUpload::key);
    }

    /**
     * Keys can contain characters that XML cannot: the response is not XML then, or has a replacement character. The list is
     * requested again with encoded keys, which the SDK decodes. Not always, because some stores encode spaces and plus signs
     * in another way than the SDK decodes them.
     */
    private static <T> List<T> readable(Function<@Nullable EncodingType, List<T>> list, Function<T, String> key) {
        try {
            List<T> plain = list.apply(null);
            if (plain.stream().map(key).noneMatch(text -> text.indexOf(REPLACEMENT) >= 0)) {
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

    private long delete(StoreCall call, BucketName bucket, List<ObjectIdentifier> versions) {
        List<ObjectIdentifier> unprintable =
                versions.stream().filter(version -> !isXml(version.key())).toList();
        if (unprintable.isEmpty()) {
            return deleteBatch(call, bucket, versions);
        }
        unprintable.forEach(version -> deleteOne(call, bucket, version));
        List<ObjectIdentifier> others =
                versions.stream().filter(version -> isXml(version.key())).toList();
        return unprintable.size() + (others.isEmpty() ? 0 : deleteBatch(call, bucket, others));
    }

    /** Whether the request that deletes several objects, which is XML, can contain this key. */
    private static boolean isXml(String key) {
        return key.chars()
                .allMatch(c -> c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0xFFFE && c != 0xFFFF));
    }

    private void deleteOne(StoreCall call, BucketName bucket, ObjectIdentifier version) {
        StoreRequest.send(
                call,
                "delete an object of " + bucket,
                limits -> s3.deleteObject(request -> request.bucket(bucket.text())
                        .key(version.key())
                        .versionId(version.versionId())
                        .overrideConfiguration(limits)));
    }

    private long deleteBatch(StoreCall call, BucketName bucket, List<ObjectIdentifier> versions) {
        DeleteObjectsResponse response = StoreRequest.send(
                call,
                "empty the bucket " + bucket,
                limits -> s3.deleteObjects(request -> request.bucket(bucket.text())
                        .delete(delete -> delete.objects(versions).quiet(true))
                        .overrideConfiguration(limits)));
        if (response.errors().size() >= versions.size()) {
            S3Error first = response.errors().getFirst();
            throw new NotEmpty("The bucket " + bucket
                    + " holds objects that cannot be deleted, perhaps because of object lock. The first is "
                    + InputText.quote(first.key()) + ": " + InputText.quote(first.code()) + ".");
        }
        return versions.size() - (long) response.errors().size();
    }

    private void abort(StoreCall call, BucketName bucket, MultipartUpload upload) {
        try {
            StoreRequest.send(
                    call,
                    "abort an upload in " + bucket,
                    limits -> s3.abortMultipartUpload(request -> request.bucket(bucket.text())
                            .key(upload.key())
                            .uploadId(upload.uploadId())
                            .overrideConfiguration(limits)));
        } catch (NotFound finishedMeanwhile) {
            // The upload was completed or aborted meanwhile.
        }
    }

    private static ObjectIdentifier identifier(String key, String versionId) {
        return ObjectIdentifier.builder().key(key).versionId(versionId).build();
    }
}
