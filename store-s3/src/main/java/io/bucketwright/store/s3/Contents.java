package io.bucketwright.store.s3;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Progress;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** All that keeps a bucket from being empty: objects, old versions, delete markers and uploads that nobody finished. */
final class Contents {

    /** A worker is held for no longer than about two seconds; the last batch may begin just before this is over. */
    private static final Duration SLICE = Duration.ofMillis(1_200);

    private static final int BATCH = 250;

    private final S3Client s3;

    Contents(S3Client s3) {
        this.s3 = s3;
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return versions(call, bucket, 1).isEmpty() && uploads(call, bucket, 1).isEmpty();
    }

    /**
     * Removes a slice of it.
     *
     * @throws NotEmpty if what is left cannot be removed, because it is locked
     */
    Progress wipe(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + SLICE.toNanos();
        long removed = 0;
        do {
            List<ObjectIdentifier> versions = versions(call, bucket, BATCH);
            if (!versions.isEmpty()) {
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

    private List<ObjectIdentifier> versions(StoreCall call, BucketName bucket, int most) {
        ListObjectVersionsResponse page = Exchange.send(
                call,
                "list the bucket " + bucket,
                limits -> s3.listObjectVersions(
                        request -> request.bucket(bucket.text()).maxKeys(most).overrideConfiguration(limits)));
        return Stream.concat(
                        page.versions().stream().map(version -> identifier(version.key(), version.versionId())),
                        page.deleteMarkers().stream().map(marker -> identifier(marker.key(), marker.versionId())))
                .toList();
    }

    private List<MultipartUpload> uploads(StoreCall call, BucketName bucket, int most) {
        return Exchange.send(
                call,
                "list the uploads of " + bucket,
                limits -> s3.listMultipartUploads(request ->
                                request.bucket(bucket.text()).maxUploads(most).overrideConfiguration(limits))
                        .uploads());
    }

    private long delete(StoreCall call, BucketName bucket, List<ObjectIdentifier> versions) {
        DeleteObjectsResponse answer = Exchange.send(
                call,
                "empty the bucket " + bucket,
                limits -> s3.deleteObjects(request -> request.bucket(bucket.text())
                        .delete(delete -> delete.objects(versions).quiet(true))
                        .overrideConfiguration(limits)));
        if (answer.errors().size() >= versions.size()) {
            S3Error first = answer.errors().getFirst();
            throw new NotEmpty("The bucket " + bucket
                    + " holds objects that cannot be deleted, perhaps because they are" + " locked; the first is "
                    + InputText.quote(first.key()) + ": " + InputText.quote(first.code()) + ".");
        }
        return versions.size() - (long) answer.errors().size();
    }

    private void abort(StoreCall call, BucketName bucket, MultipartUpload upload) {
        try {
            Exchange.send(
                    call,
                    "abort an upload in " + bucket,
                    limits -> s3.abortMultipartUpload(request -> request.bucket(bucket.text())
                            .key(upload.key())
                            .uploadId(upload.uploadId())
                            .overrideConfiguration(limits)));
        } catch (NotFound finishedMeanwhile) {
            // Then it is an object by now, or gone.
        }
    }

    private static ObjectIdentifier identifier(String key, String versionId) {
        return ObjectIdentifier.builder().key(key).versionId(versionId).build();
    }
}
