package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.gcs.rest.ApiRequest;
import io.bucketwright.store.gcs.rest.GcsClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The contents of a bucket: objects with all their generations, and incomplete multipart uploads of the XML API. */
record BucketContents(GcsClient client, Endpoint endpoint, Duration slice) {

    /** One call deletes for this long. The last batch may start just before the end. */
    private static final Duration SLICE = Duration.ofMillis(1_200);

    private static final int BATCH = 200;

    /** The API deletes one object for each request. */
    private static final int PARALLEL = 16;

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private record Generation(String name, String number) {}

    /** @param next the token of the next page; empty if this page is the last one */
    private record Page(List<Generation> generations, Optional<String> next) {
        static final Page EMPTY = new Page(List.of(), Optional.empty());
    }

    /** @param held the name of an object that cannot be deleted; empty if there is none */
    private record Deleted(long removed, String held) {}

    BucketContents(GcsClient client, Endpoint endpoint) {
        this(client, endpoint, SLICE);
    }

    /**
     * Checks that nobody can restore an object that was deleted before.
     *
     * @throws Unavailable if the soft delete policy of the bucket still keeps one
     */
    void requireUnrestorable(StoreCall call, BucketName bucket) {
        ApiRequest request = ApiRequest.of(
                        "list the deleted objects of " + bucket, "GET", endpoint, Buckets.path(bucket) + "/o")
                .with("softDeleted", "true")
                .with("maxResults", "1");
        String token = "";
        do {
            JsonNode page =
                    client.read(call, token.isEmpty() ? request : request.with("pageToken", token), "storage#objects");
            if (!page.path("items").isEmpty()) {
                throw new Unavailable("The bucket " + bucket
                        + " is empty, but objects that were deleted from it can still be restored, as its soft delete"
                        + " policy says. It is erased when Cloud Storage has deleted them, which by default is seven days"
                        + " after the last one was deleted. A bucket without soft delete does not wait.");
            }
            // A page can be empty although more follow.
            token = page.path("nextPageToken").asText("");
        } while (!token.isEmpty());
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return list(call, bucket, "", 1).generations().isEmpty()
                && uploads().list(call, bucket, 1).isEmpty();
    }

    /**
     * Deletes one slice of the contents. What cannot be deleted stays at the beginning of the list: the call continues
     * behind it.
     *
     * @throws NotEmpty if everything that is left cannot be deleted, because of a hold or a retention policy
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        long removed = 0;
        String held = "";
        Optional<String> from = Optional.of("");
        do {
            Page page = from.map(token -> list(call, bucket, token, BATCH)).orElse(Page.EMPTY);
            if (page.generations().isEmpty()) {
                List<MultipartUploads.Upload> uploads = uploads().list(call, bucket, BATCH);
                if (uploads.isEmpty()) {
                    return done(bucket, held);
                }
                uploads.forEach(upload -> uploads().abort(call, bucket, upload));
                removed += uploads.size();
            } else {
                Deleted deleted = delete(call, bucket, page.generations());
                removed += deleted.removed();
                if (!deleted.held().isEmpty()) {
                    held = deleted.held();
                    from = page.next();
                }
            }
        } while (System.nanoTime() < end || (removed == 0 && call.remaining().compareTo(RESERVE) > 0));
        return removed > 0 ? new Progress.More(removed) : done(bucket, held);
    }

    /** Everything is deleted that can be. */
    private static Progress done(BucketName bucket, String held) {
        if (held.isEmpty()) {
            return new Progress.Done();
        }
        throw new NotEmpty("The bucket " + bucket
                + " holds objects that cannot be deleted, because of a hold or a retention policy. One is "
                + InputText.quote(held) + ".");
    }

    private MultipartUploads uploads() {
        return new MultipartUploads(client, endpoint);
    }

    /** The first page with objects, from this token on; empty if there is none. A page can be empty although more follow. */
    private Page list(StoreCall call, BucketName bucket, String token, int limit) {
        Page page = page(call, bucket, token, limit);
        while (page.generations().isEmpty() && page.next().isPresent()) {
            page = page(call, bucket, page.next().get(), limit);
        }
        return page;
    }

    private Page page(StoreCall call, BucketName bucket, String token, int limit) {
        ApiRequest request = ApiRequest.of("list the bucket " + bucket, "GET", endpoint, Buckets.path(bucket) + "/o")
                .with("versions", "true")
                .with("maxResults", Integer.toString(limit))
                .with("fields", "kind,nextPageToken,items(name,generation)");
        JsonNode page =
                client.read(call, token.isEmpty() ? request : request.with("pageToken", token), "storage#objects");
        List<Generation> generations = new ArrayList<>();
        for (JsonNode item : page.path("items")) {
            generations.add(new Generation(
                    item.path("name").asText(), item.path("generation").asText()));
        }
        return new Page(
                generations, Optional.of(page.path("nextPageToken").asText("")).filter(next -> !next.isEmpty()));
    }

    private Deleted delete(StoreCall call, BucketName bucket, List<Generation> generations) {
        long removed = 0;
        String held = "";
        try (ExecutorService threads =
                Executors.newFixedThreadPool(PARALLEL, Thread.ofVirtual().factory())) {
            List<Future<Boolean>> results = generations.stream()
                    .map(generation -> threads.submit(() -> delete(call, bucket, generation)))
                    .toList();
            for (int i = 0; i < results.size(); i++) {
                if (result(results.get(i))) {
                    removed++;
                } else {
                    held = generations.get(i).name();
                }
            }
        }
        return new Deleted(removed, held);
    }

    private static boolean result(Future<Boolean> deletion) {
        try {
            return deletion.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was cancelled.", e);
        }
    }

    /** False if a hold or a retention policy protects the object. */
    private boolean delete(StoreCall call, BucketName bucket, Generation generation) {
        try {
            client.send(
                    call,
                    ApiRequest.of(
                                    "delete an object of " + bucket,
                                    "DELETE",
                                    endpoint,
                                    Buckets.path(bucket) + "/o/" + ApiRequest.encode(generation.name()))
                            .with("generation", generation.number()));
            return true;
        } catch (NotFound alreadyDeleted) {
            return true;
        } catch (NotEmpty protectedObject) {
            return false;
        }
    }
}
