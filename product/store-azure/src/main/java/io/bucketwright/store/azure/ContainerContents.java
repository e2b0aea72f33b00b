package io.bucketwright.store.azure;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.azure.BlobDeletion.KeptBlob;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The contents of a container: blobs, snapshots, versions and uploads without a committed block. */
record ContainerContents(BlobService service, Duration slice) {

    /** One call deletes for this long. */
    private static final Duration SLICE = Duration.ofMillis(1_200);

    private static final String EVERYTHING = "snapshots,uncommittedblobs,versions";
    private static final int BATCH = 250;
    private static final int AT_ONCE = 10;

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    /** A name can have 10 KB in the response: 1,024 characters that XML cannot contain. */
    private static final int USAGE_PAGE = 1_000;

    private static final int MAX_USAGE_PAGES = 100;

    ContainerContents(BlobService service) {
        this(service, SLICE);
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return isEmpty(call, bucket, EVERYTHING);
    }

    private boolean isEmpty(StoreCall call, BucketName bucket, String include) {
        BlobXml.Page page = list(call, bucket, include, 1, "");
        // A page can be empty although more follow.
        while (page.blobs().isEmpty() && !page.next().isEmpty()) {
            page = list(call, bucket, include, 1, page.next());
        }
        return page.blobs().isEmpty();
    }

    /**
     * Checks that nobody can restore a blob that was deleted before.
     *
     * @throws Unavailable if the soft delete of the storage account still keeps one
     */
    void requireUnrestorable(StoreCall call, BucketName bucket) {
        if (!isEmpty(call, bucket, EVERYTHING + ",deleted") || hasDeletedPaths(call, bucket)) {
            throw new Unavailable(
                    "The container " + bucket + " is empty, but blobs that were deleted from it can still be"
                            + " restored, because blob soft delete is enabled in the storage account. It is erased when the"
                            + " retention of the last one has ended.");
        }
    }

    /**
     * Whether a path of a hierarchical namespace can be restored. The other list does not show what was in a directory when
     * that was deleted.
     */
    private boolean hasDeletedPaths(StoreCall call, BucketName bucket) {
        String marker = "";
        do {
            BlobRequest request = listing(bucket, 1, marker).query("showonly", "deleted");
            HttpResponse<byte[]> response = service.exchange(call, request);
            if (BlobErrors.isUnsupportedParameter(response)) {
                // An account without a hierarchical namespace.
                return false;
            }
            service.require(request, response);
            BlobXml.Page page = BlobXml.blobs(response.body());
            if (!page.blobs().isEmpty()) {
                return true;
            }
            marker = page.next();
        } while (!marker.isEmpty());
        return false;
    }

    /**
     * Deletes one slice of the contents and keeps the container. What cannot be deleted stays at the beginning of the list:
     * the call continues behind it.
     *
     * @throws NotEmpty if everything that is left cannot be deleted
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        BlobDeletion deletion = new BlobDeletion(service, call, bucket);
        long removed = 0;
        List<KeptBlob> left = List.of();
        String from = "";
        List<BlobXml.Blob> last = List.of();
        do {
            BlobXml.Page page = list(call, bucket, EVERYTHING, BATCH, from);
            if (!last.isEmpty() && page.blobs().equals(last)) {
                throw new NotEmpty("The container " + bucket
                        + " holds blobs that the store lists and does not delete. The first is "
                        + InputText.quote(last.getFirst().name()) + ".");
            }
            last = page.blobs();
            List<KeptBlob> kept = new ArrayList<>();
            for (int first = 0; first < last.size(); first += AT_ONCE) {
                if (removed > 0 && System.nanoTime() >= end) {
                    return new Progress.More(removed);
                }
                List<BlobXml.Blob> next = last.subList(first, Math.min(last.size(), first + AT_ONCE));
                List<KeptBlob> refused = deletion.deleteTogether(next);
                removed += next.size() - refused.size();
                kept.addAll(refused);
            }
            removed += deleteDirectories(deletion, kept, end);
            left = kept.isEmpty() ? left : kept;
            if (last.isEmpty() || !kept.isEmpty()) {
                // A page can be empty although more follow.
                if (page.next().isEmpty()) {
                    return left.isEmpty() ? new Progress.Done() : progress(bucket, removed, left);
                }
                from = page.next();
            }
        } while (System.nanoTime() < end || (removed == 0 && hasTime(call)));
        return progress(bucket, removed, left);
    }

    /** Deletes directories after their contents, which a list has behind them, until the end of the slice. */
    private static long deleteDirectories(BlobDeletion deletion, List<KeptBlob> kept, long end) {
        long removed = 0;
        for (KeptBlob directory :
                kept.reversed().stream().filter(KeptBlob::directory).toList()) {
            if (removed > 0 && System.nanoTime() >= end) {
                return removed;
            }
            if (deletion.delete(directory.blob()).isEmpty()) {
                kept.remove(directory);
                removed++;
            }
        }
        return removed;
    }

    /** What is left may be a directory whose contents are deleted now: only a call that deletes nothing fails. */
    private static Progress progress(BucketName bucket, long removed, List<KeptBlob> left) {
        if (removed > 0) {
            return new Progress.More(removed);
        }
        if (left.isEmpty()) {
            throw new Unavailable("The list of the container " + bucket + " does not end in time.");
        }
        throw new NotEmpty("The container " + bucket + " holds blobs that cannot be deleted. One is "
                + InputText.quote(left.getFirst().blob().name()) + ". "
                + left.getFirst().refusal().getMessage());
    }

    Usage usage(StoreCall call, BucketName bucket) {
        long bytes = 0;
        long objects = 0;
        String next = "";
        for (int number = 0; number < MAX_USAGE_PAGES && (number == 0 || hasTime(call)); number++) {
            BlobXml.Page page = list(call, bucket, "", USAGE_PAGE, next);
            objects += page.blobs().size();
            bytes += page.blobs().stream().mapToLong(BlobXml.Blob::length).sum();
            next = page.next();
            if (next.isEmpty()) {
                return new Usage(bytes, objects, true);
            }
        }
        return new Usage(bytes, objects, false);
    }

    private static boolean hasTime(StoreCall call) {
        return call.remaining().compareTo(RESERVE) > 0;
    }

    private BlobXml.Page list(StoreCall call, BucketName bucket, String include, int limit, String marker) {
        BlobRequest request = listing(bucket, limit, marker);
        return BlobXml.blobs(service.send(call, include.isEmpty() ? request : request.query("include", include))
                .body());
    }

    private static BlobRequest listing(BucketName bucket, int limit, String marker) {
        BlobRequest request = BlobRequest.container("list the container " + bucket, "GET", bucket)
                .query("comp", "list")
                .query("maxresults", Integer.toString(limit));
        return marker.isEmpty() ? request : request.query("marker", marker);
    }
}
