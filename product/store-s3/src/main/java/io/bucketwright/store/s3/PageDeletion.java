package io.bucketwright.store.s3;

import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.ParallelRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Deletes one page of a bucket's contents, with several requests at a time. */
final class PageDeletion implements AutoCloseable {

    /** One request deletes at most this many: a store that deletes them one by one still answers in time. */
    static final int BATCH = 250;

    static final int PARALLEL = 4;

    /** Errors of single objects that say nothing about the object: it is deleted by a later request. */
    private static final Set<String> RETRYABLE =
            Set.of("InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted");

    private static final Set<String> ABSENT = Set.of("NoSuchKey", "NoSuchVersion");

    private final SessionBucket bucket;
    private final ParallelRequests requests = new ParallelRequests(PARALLEL);

    PageDeletion(SessionBucket bucket) {
        this.bucket = bucket;
    }

    /**
     * How many were deleted.
     *
     * @param refused how many the store does not delete
     * @param example the key of one of these and the error; empty if there are none
     */
    record Result(long removed, long refused, String example) {

        static final Result NONE = new Result(0, 0, "");

        Result plus(Result other) {
            return new Result(
                    removed + other.removed, refused + other.refused, example.isEmpty() ? other.example : example);
        }
    }

    /**
     * Deletes versions and delete markers.
     *
     * @throws Unavailable if the store asks to retry, and nothing was deleted or refused
     */
    Result deleteVersions(List<ObjectIdentifier> versions) {
        List<Callable<Result>> deletions = new ArrayList<>();
        List<ObjectIdentifier> batch = new ArrayList<>();
        for (ObjectIdentifier version : versions) {
            if (!isXml(version.key())) {
                deletions.add(() -> deleteOne(version));
                continue;
            }
            batch.add(version);
            if (batch.size() == BATCH) {
                List<ObjectIdentifier> complete = List.copyOf(batch);
                deletions.add(() -> deleteBatch(complete));
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            deletions.add(() -> deleteBatch(batch));
        }
        Result result = send(deletions);
        if (result.equals(Result.NONE)) {
            throw new Unavailable("Could not empty the bucket " + bucket + ": the store asks to retry.");
        }
        return result;
    }

    Result abort(List<MultipartUpload> uploads) {
        List<Callable<Result>> deletions = new ArrayList<>();
        uploads.forEach(upload -> deletions.add(() -> abort(upload)));
        return send(deletions);
    }

    private Result send(List<Callable<Result>> deletions) {
        return requests.send(deletions).stream().reduce(Result.NONE, Result::plus);
    }

    /** Whether the request that deletes several objects, which is XML, can contain this key. */
    private static boolean isXml(String key) {
        return key.chars()
                .allMatch(c -> c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0xFFFE && c != 0xFFFF));
    }

    private Result deleteBatch(List<ObjectIdentifier> versions) {
        List<S3Error> errors = bucket.send(
                        "empty the bucket " + bucket,
                        s3 -> s3.deleteObjects(request -> request.bucket(bucket.text())
                                .delete(delete -> delete.objects(versions).quiet(true))))
                .errors();
        List<S3Error> left =
                errors.stream().filter(error -> !ABSENT.contains(error.code())).toList();
        List<S3Error> refused =
                left.stream().filter(error -> !RETRYABLE.contains(error.code())).toList();
        return new Result(
                versions.size() - (long) left.size(),
                refused.size(),
                refused.stream()
                        .findFirst()
                        .map(error -> InputText.quote(error.key()) + ": " + InputText.quote(error.code()))
                        .orElse(""));
    }

    private Result deleteOne(ObjectIdentifier version) {
        try {
            bucket.send(
                    "delete an object of " + bucket,
                    s3 -> s3.deleteObject(request ->
                            request.bucket(bucket.text()).key(version.key()).versionId(version.versionId())));
        } catch (NotFound deletedMeanwhile) {
            // Nothing is left to delete.
        } catch (Denied e) {
            return new Result(0, 1, InputText.quote(version.key()) + ": " + e.getMessage());
        }
        return new Result(1, 0, "");
    }

    private Result abort(MultipartUpload upload) {
        Absence.ignore(() -> bucket.send(
                "abort an upload in " + bucket,
                s3 -> s3.abortMultipartUpload(request ->
                        request.bucket(bucket.text()).key(upload.key()).uploadId(upload.uploadId()))));
        return new Result(1, 0, "");
    }

    @Override
    public void close() {
        requests.close();
    }
}
