package io.bucketwright.store.azure;

import io.bucketwright.store.ContentsDeletion;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.azure.BlobXml.Blob;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** The contents of a container: blobs, snapshots, versions and uploads without a committed block. */
record ContainerContents(BlobService service, Duration slice) {

    private static final String EVERYTHING = "snapshots,uncommittedblobs,versions";
    private static final int PAGE = 250;
    private static final int BATCH = 10;

    /** A measurement ends when this is left of the time of its call. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    /** A name can have 10 KB in the response: 1,024 characters that XML cannot contain. */
    private static final int USAGE_PAGE = 1_000;

    private static final int MAX_USAGE_PAGES = 100;

    ContainerContents(BlobService service) {
        this(service, ContentsDeletion.SLICE);
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
     * Deletes one slice of the contents and keeps the container.
     *
     * @throws NotEmpty if everything that is left cannot be deleted
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        return new ContentsDeletion(call, slice, BATCH).run(new BlobDeletion(this, call, bucket));
    }

    ContentsDeletion.Page<Blob> page(StoreCall call, BucketName bucket, String marker) {
        BlobXml.Page page = list(call, bucket, EVERYTHING, PAGE, marker);
        return new ContentsDeletion.Page<>(
                page.blobs(),
                page.next().isEmpty() ? Optional.empty() : Optional.of(() -> page(call, bucket, page.next())));
    }

    Usage usage(StoreCall call, BucketName bucket) {
        long bytes = 0;
        long objects = 0;
        String next = "";
        for (int number = 0;
                number < MAX_USAGE_PAGES && (number == 0 || call.remaining().compareTo(RESERVE) > 0);
                number++) {
            BlobXml.Page page = list(call, bucket, "", USAGE_PAGE, next);
            objects += page.blobs().size();
            bytes += page.blobs().stream().mapToLong(Blob::length).sum();
            next = page.next();
            if (next.isEmpty()) {
                return new Usage(bytes, objects, true);
            }
        }
        return new Usage(bytes, objects, false);
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
