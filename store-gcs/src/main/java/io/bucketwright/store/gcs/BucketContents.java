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

    private record Generation(String name, String number) {}

    BucketContents(GcsClient client, Endpoint endpoint) {
        this(client, endpoint, SLICE);
    }

    boolean isEmpty(StoreCall call, BucketName bucket) {
        return generations(call, bucket, 1).isEmpty()
                && uploads().list(call, bucket, 1).isEmpty();
    }

    /**
     * Deletes one slice of the contents.
     *
     * @throws NotEmpty if no object of a batch can be deleted, because of a hold or a retention policy
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        long end = System.nanoTime() + slice.toNanos();
        long removed = 0;
        do {
            List<Generation> generations = generations(call, bucket, BATCH);
            if (generations.isEmpty()) {
                List<MultipartUploads.Upload> uploads = uploads().list(call, bucket, BATCH);
                if (uploads.isEmpty()) {
                    return new Progress.Done();
                }
                uploads.forEach(upload -> uploads().abort(call, bucket, upload));
                removed += uploads.size();
            } else {
                removed += delete(call, bucket, generations);
            }
        } while (System.nanoTime() < end);
        return new Progress.More(removed);
    }

    private MultipartUploads uploads() {
        return new MultipartUploads(client, endpoint);
    }

    private List<Generation> generations(StoreCall call, BucketName bucket, int limit) {
        JsonNode page = client.read(
                call,
                ApiRequest.of("list the bucket " + bucket, "GET", endpoint, Buckets.path(bucket) + "/o")
                        .with("versions", "true")
                        .with("maxResults", Integer.toString(limit))
                        .with("fields", "kind,nextPageToken,items(name,generation)"),
                "storage#objects");
        List<Generation> generations = new ArrayList<>();
        for (JsonNode item : page.path("items")) {
            generations.add(new Generation(
                    item.path("name").asText(), item.path("generation").asText()));
        }
        return generations;
    }

    private long delete(StoreCall call, BucketName bucket, List<Generation> generations) {
        long removed = 0;
        List<String> held = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(PARALLEL, Thread.ofVirtual().factory())) {
            List<Future<Boolean>> results = generations.stream()
                    .map(generation -> threads.submit(() -> delete(call, bucket, generation)))
                    .toList();
            for (int i = 0; i < results.size(); i++) {
                if (result(results.get(i))) {
                    removed++;
                } else {
                    held.add(generations.get(i).name());
                }
            }
        }
        if (removed == 0) {
            throw new NotEmpty("The bucket " + bucket
                    + " holds objects that cannot be deleted, because of a hold or a retention policy. The first is "
                    + InputText.quote(held.getFirst()) + ".");
        }
        return removed;
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
