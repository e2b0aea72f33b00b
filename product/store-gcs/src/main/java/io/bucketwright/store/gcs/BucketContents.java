package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.ParallelRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** The contents of a bucket: objects with all their generations, and incomplete multipart uploads of the XML API. */
record BucketContents(GcsClient client, Endpoint endpoint, Duration slice) {

    /** One call deletes for this long. The last batch may start just before the end. */
    private static final Duration SLICE = Duration.ofMillis(1_200);

    private static final int BATCH = 200;
    private static final String OBJECTS = "storage#objects";

    /** The API deletes one object for each request. */
    private static final int PARALLEL = 16;

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private record Generation(String name, String number) {}

    /** @param next the token of the next page; empty if this page is the last one */
    private record Page(List<Generation> generations, Optional<String> next) {
        static final Page EMPTY = new Page(List.of(), Optional.empty());

        static Page read(JsonNode page) {
            return new Page(
                    page.path("items")
                            .valueStream()
                            .map(item -> new Generation(
                                    item.path("name").asText(),
                                    item.path("generation").asText()))
                            .toList(),
                    Optional.of(GcsClient.nextToken(page)).filter(Predicate.not(String::isEmpty)));
        }
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
        if (client.pages(call, request, OBJECTS)
                .anyMatch(page -> !page.path("items").isEmpty())) {
            throw new Unavailable("The bucket " + bucket
                    + " is empty, but objects that were deleted from it can still be restored, as its soft delete"
                    + " policy says. It is erased when Cloud Storage has deleted them, which by default is seven days"
                    + " after the last one was deleted. A bucket without soft delete does not wait.");
        }
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

    /** The first page with objects, from this token on; empty if there is none. */
    private Page list(StoreCall call, BucketName bucket, String token, int limit) {
        ApiRequest request = ApiRequest.of("list the bucket " + bucket, "GET", endpoint, Buckets.path(bucket) + "/o")
                .with("versions", "true")
                .with("maxResults", Integer.toString(limit))
                .with("fields", "kind,nextPageToken,items(name,generation)");
        return client.pages(call, request.from(token), OBJECTS)
                .map(Page::read)
                .filter(page -> !page.generations().isEmpty())
                .findFirst()
                .orElse(Page.EMPTY);
    }

    private Deleted delete(StoreCall call, BucketName bucket, List<Generation> generations) {
        List<Callable<Optional<String>>> deletions = new ArrayList<>();
        generations.forEach(generation -> deletions.add(() -> delete(call, bucket, generation)));
        try (ParallelRequests parallel = new ParallelRequests(PARALLEL)) {
            List<String> held =
                    parallel.send(deletions).stream().flatMap(Optional::stream).toList();
            return new Deleted(generations.size() - held.size(), held.isEmpty() ? "" : held.getLast());
        }
    }

    /** The name of the object if a hold or a retention policy protects it. */
    private Optional<String> delete(StoreCall call, BucketName bucket, Generation generation) {
        ApiRequest request = ApiRequest.of(
                        "delete an object of " + bucket,
                        "DELETE",
                        endpoint,
                        Buckets.path(bucket) + "/o/" + ApiRequest.encode(generation.name()))
                .with("generation", generation.number());
        try {
            Absence.ignore(() -> client.send(call, request));
            return Optional.empty();
        } catch (NotEmpty protectedObject) {
            return Optional.of(generation.name());
        }
    }
}
