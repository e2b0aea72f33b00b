package io.bucketwright.store.s3;

import io.bucketwright.store.ContentsDeletion.Contents;
import io.bucketwright.store.ContentsDeletion.Deleted;
import io.bucketwright.store.ContentsDeletion.Page;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.ParallelRequests;
import io.bucketwright.store.s3.BucketContents.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Deletes one page of a bucket's contents, with several requests at a time. */
final class PageDeletion implements Contents<Entry>, AutoCloseable {

    /** One request deletes at most this many: a store that deletes them one by one still answers in time. */
    static final int BATCH = 250;

    static final int PARALLEL = 4;

    /** Errors of single objects that say nothing about the object: it is deleted by a later request. */
    private static final Set<String> RETRYABLE =
            Set.of("InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted");

    private static final Set<String> ABSENT = Set.of("NoSuchKey", "NoSuchVersion");

    private final BucketContents contents;
    private final SessionBucket bucket;
    private final ParallelRequests requests = new ParallelRequests(PARALLEL);

    PageDeletion(BucketContents contents) {
        this.contents = contents;
        this.bucket = contents.bucket();
    }

    @Override
    public Page<Entry> first() {
        return contents.first();
    }

    @Override
    public String name(Entry entry) {
        return entry.key();
    }

    @Override
    public String holder() {
        return "The bucket " + bucket;
    }

    @Override
    public String reason(Deleted deleted) {
        return "holds " + deleted.kept()
                + " or more versions of objects that the store does not delete, because of object lock or a"
                + " missing permission. One is " + deleted.example() + ".";
    }

    /**
     * Deletes entries of one kind: versions and delete markers, or uploads.
     *
     * @throws Unavailable if the store asks to retry, and nothing was deleted or kept
     */
    @Override
    public Deleted delete(List<Entry> entries) {
        List<Callable<Deleted>> deletions = new ArrayList<>();
        List<Entry> batch = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.upload()) {
                deletions.add(() -> abort(entry));
            } else if (!isXml(entry.key())) {
                deletions.add(() -> deleteOne(entry));
            } else {
                batch.add(entry);
            }
            if (batch.size() == BATCH) {
                List<Entry> complete = List.copyOf(batch);
                deletions.add(() -> deleteBatch(complete));
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            deletions.add(() -> deleteBatch(batch));
        }
        Deleted result = requests.send(deletions).stream().reduce(Deleted.NONE, Deleted::plus);
        if (result.equals(Deleted.NONE)) {
            throw new Unavailable("Could not empty the bucket " + bucket + ": the store asks to retry.");
        }
        return result;
    }

    /** Whether the request that deletes several objects, which is XML, can contain this key. */
    private static boolean isXml(String key) {
        return key.chars()
                .allMatch(c -> c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0xFFFE && c != 0xFFFF));
    }

    private Deleted deleteBatch(List<Entry> versions) {
        List<ObjectIdentifier> identifiers = versions.stream()
                .map(version -> ObjectIdentifier.builder()
                        .key(version.key())
                        .versionId(version.id())
                        .build())
                .toList();
        List<S3Error> errors = bucket.send(
                        "empty the bucket " + bucket,
                        s3 -> s3.deleteObjects(request -> request.bucket(bucket.text())
                                .delete(delete -> delete.objects(identifiers).quiet(true))))
                .errors();
        List<S3Error> left =
                errors.stream().filter(error -> !ABSENT.contains(error.code())).toList();
        List<S3Error> refused =
                left.stream().filter(error -> !RETRYABLE.contains(error.code())).toList();
        return new Deleted(
                versions.size() - (long) left.size(),
                refused.size(),
                refused.stream()
                        .findFirst()
                        .map(error -> InputText.quote(error.key()) + ": " + InputText.quote(error.code()))
                        .orElse(""));
    }

    private Deleted deleteOne(Entry version) {
        try {
            bucket.send(
                    "delete an object of " + bucket,
                    s3 -> s3.deleteObject(request ->
                            request.bucket(bucket.text()).key(version.key()).versionId(version.id())));
        } catch (NotFound deletedMeanwhile) {
            // Nothing is left to delete.
        } catch (Denied e) {
            return new Deleted(0, 1, InputText.quote(version.key()) + ": " + e.getMessage());
        }
        return new Deleted(1, 0, "");
    }

    private Deleted abort(Entry upload) {
        Absence.ignore(() -> bucket.send(
                "abort an upload in " + bucket,
                s3 -> s3.abortMultipartUpload(request ->
                        request.bucket(bucket.text()).key(upload.key()).uploadId(upload.id()))));
        return new Deleted(1, 0, "");
    }

    @Override
    public void close() {
        requests.close();
    }
}
