package io.bucketwright.store.azure;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The contents of a container: blobs, snapshots, versions and uploads without a committed block. */
record ContainerContents(BlobService service, Duration slice) {

    /** One call deletes for this long. */
    private static final Duration SLICE = Duration.ofMillis(1_200);

    private static final String EVERYTHING = "snapshots,uncommittedblobs,versions";
    private static final int BATCH = 250;
    private static final int AT_ONCE = 10;
    private static final int USAGE_PAGE = 5_000;
    private static final int MAX_USAGE_PAGES = 20;

    ContainerContents(BlobService service) {
        this(service, SLICE);
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        BlobPage page = list(call, bucket, EVERYTHING, 1, "");
        // A page can be empty although more follow.
        while (page.blobs().isEmpty() && !page.next().isEmpty()) {
            page = list(call, bucket, EVERYTHING, 1, page.next());
        }
        return page.blobs().isEmpty();
    }

    /**
     * Deletes one slice of the contents and keeps the container.
     *
     * @throws NotEmpty if a blob cannot be deleted
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        long removed = 0;
        List<BlobPage.Blob> last = List.of();
        do {
            BlobPage page = list(call, bucket, EVERYTHING, BATCH, "");
            while (page.blobs().isEmpty() && !page.next().isEmpty()) {
                page = list(call, bucket, EVERYTHING, BATCH, page.next());
            }
            if (page.blobs().isEmpty()) {
                return new Progress.Done();
            }
            if (page.blobs().equals(last)) {
                throw new NotEmpty("The container " + bucket
                        + " holds blobs that the store lists and does not delete. The first is "
                        + InputText.quote(last.getFirst().name()) + ".");
            }
            last = page.blobs();
            for (int first = 0; first < last.size(); first += AT_ONCE) {
                if (removed > 0 && System.nanoTime() >= end) {
                    return new Progress.More(removed);
                }
                List<BlobPage.Blob> next = last.subList(first, Math.min(last.size(), first + AT_ONCE));
                deleteTogether(call, bucket, next);
                removed += next.size();
            }
        } while (System.nanoTime() < end);
        return new Progress.More(removed);
    }

    Usage usage(StoreCall call, BucketName bucket) {
        long bytes = 0;
        long objects = 0;
        String next = "";
        for (int number = 0; number < MAX_USAGE_PAGES; number++) {
            BlobPage page = list(call, bucket, "", USAGE_PAGE, next);
            objects += page.blobs().size();
            bytes += page.blobs().stream().mapToLong(BlobPage.Blob::length).sum();
            next = page.next();
            if (next.isEmpty()) {
                return new Usage(bytes, objects, true);
            }
        }
        return new Usage(bytes, objects, false);
    }

    private BlobPage list(StoreCall call, BucketName bucket, String include, int limit, String marker) {
        BlobRequest request = BlobRequest.container("list the container " + bucket, "GET", bucket)
                .query("comp", "list")
                .query("maxresults", Integer.toString(limit));
        if (!include.isEmpty()) {
            request = request.query("include", include);
        }
        if (!marker.isEmpty()) {
            request = request.query("marker", marker);
        }
        return BlobXml.blobs(service.send(call, request).body());
    }

    private void deleteTogether(StoreCall call, BucketName bucket, List<BlobPage.Blob> blobs) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> deletions = new ArrayList<>();
            for (BlobPage.Blob blob : blobs) {
                deletions.add(threads.submit(() -> delete(call, bucket, blob)));
            }
            for (Future<?> deletion : deletions) {
                deletion.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failed ? failed : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was cancelled.", e);
        }
    }

    private void delete(StoreCall call, BucketName bucket, BlobPage.Blob blob) {
        BlobRequest request =
                BlobRequest.blob("delete a blob of the container " + bucket, "DELETE", bucket, blob.name());
        if (!blob.snapshot().isEmpty()) {
            request = request.query("snapshot", blob.snapshot());
        } else if (!blob.version().isEmpty()) {
            request = request.query("versionid", blob.version());
        } else {
            request = request.header("x-ms-delete-snapshots", "include");
        }
        try {
            service.send(call, request);
        } catch (NotFound uncommittedOrDeleted) {
            if (blob.snapshot().isEmpty() && blob.version().isEmpty() && blob.length() == 0) {
                deleteUncommitted(call, bucket, blob);
            }
        }
    }

    /** Blocks that were uploaded and not committed cannot be deleted; a blob of that name replaces them. */
    private void deleteUncommitted(StoreCall call, BucketName bucket, BlobPage.Blob blob) {
        String action = "delete an upload to the container " + bucket;
        service.send(call, BlobRequest.blob(action, "PUT", bucket, blob.name()).header("x-ms-blob-type", "BlockBlob"));
        try {
            service.send(call, BlobRequest.blob(action, "DELETE", bucket, blob.name()));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }
}
