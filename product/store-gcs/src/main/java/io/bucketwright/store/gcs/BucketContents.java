package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.ContentsDeletion;
import io.bucketwright.store.ContentsDeletion.Contents;
import io.bucketwright.store.ContentsDeletion.Deleted;
import io.bucketwright.store.ContentsDeletion.Page;
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

/** The contents of a bucket: objects with all their generations, and incomplete multipart uploads of the XML API. */
record BucketContents(GcsClient client, Endpoint endpoint, Duration slice) {

    private static final int BATCH = 200;
    private static final String OBJECTS = "storage#objects";

    /** The API deletes one object for each request. */
    private static final int PARALLEL = 16;

    /**
     * A generation of an object, or an upload.
     *
     * @param id the number of the generation, or the id of the upload
     */
    record Entry(String name, String id, boolean upload) {}

    BucketContents(GcsClient client, Endpoint endpoint) {
        this(client, endpoint, ContentsDeletion.SLICE);
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
        return new Deletion(this, call, bucket).isEmpty();
    }

    /**
     * Deletes one slice of the contents.
     *
     * @throws NotEmpty if everything that is left cannot be deleted, because of a hold or a retention policy
     */
    Progress deleteSlice(StoreCall call, BucketName bucket) {
        return new ContentsDeletion(call, slice, BATCH).run(new Deletion(this, call, bucket));
    }

    private record Deletion(BucketContents all, StoreCall call, BucketName bucket) implements Contents<Entry> {

        boolean isEmpty() {
            return objects("", 1).entries().isEmpty() && uploads(1).entries().isEmpty();
        }

        @Override
        public Page<Entry> first() {
            return page("");
        }

        /** A page of objects, or of uploads if there are no objects. */
        private Page<Entry> page(String token) {
            Page<Entry> objects = objects(token, BATCH);
            return objects.entries().isEmpty()
                    ? uploads(BATCH)
                    : new Page<>(objects.entries(), objects.next().or(() -> Optional.of(() -> uploads(BATCH))));
        }

        /** The first page with objects, from this token on; empty if there is none. */
        private Page<Entry> objects(String token, int limit) {
            ApiRequest request = ApiRequest.of(
                            "list the bucket " + bucket, "GET", all.endpoint, Buckets.path(bucket) + "/o")
                    .with("versions", "true")
                    .with("maxResults", Integer.toString(limit))
                    .with("fields", "kind,nextPageToken,items(name,generation)");
            return all.client
                    .pages(call, request.from(token), OBJECTS)
                    .filter(page -> !page.path("items").isEmpty())
                    .findFirst()
                    .map(this::read)
                    .orElse(new Page<>(List.of(), Optional.empty()));
        }

        private Page<Entry> read(JsonNode page) {
            List<Entry> generations = page.path("items")
                    .valueStream()
                    .map(item -> new Entry(
                            item.path("name").asText(), item.path("generation").asText(), false))
                    .toList();
            String next = GcsClient.nextToken(page);
            return new Page<>(generations, next.isEmpty() ? Optional.empty() : Optional.of(() -> page(next)));
        }

        private Page<Entry> uploads(int limit) {
            return new Page<>(
                    new MultipartUploads(all.client, all.endpoint).list(call, bucket, limit), Optional.empty());
        }

        @Override
        public Deleted delete(List<Entry> entries) {
            List<Callable<Deleted>> deletions = new ArrayList<>();
            entries.forEach(entry -> deletions.add(() -> delete(entry)));
            try (ParallelRequests parallel = new ParallelRequests(PARALLEL)) {
                return parallel.send(deletions).stream().reduce(Deleted.NONE, Deleted::plus);
            }
        }

        /** Keeps an object if a hold or a retention policy protects it. */
        private Deleted delete(Entry entry) {
            if (entry.upload()) {
                new MultipartUploads(all.client, all.endpoint).abort(call, bucket, entry);
                return new Deleted(1, 0, "");
            }
            ApiRequest request = ApiRequest.of(
                            "delete an object of " + bucket,
                            "DELETE",
                            all.endpoint,
                            Buckets.path(bucket) + "/o/" + ApiRequest.encode(entry.name()))
                    .with("generation", entry.id());
            try {
                Absence.ignore(() -> all.client.send(call, request));
                return new Deleted(1, 0, "");
            } catch (NotEmpty protectedObject) {
                return new Deleted(0, 1, entry.name());
            }
        }

        @Override
        public String name(Entry entry) {
            return entry.name();
        }

        @Override
        public String holder() {
            return "The bucket " + bucket;
        }

        @Override
        public String reason(Deleted deleted) {
            return "holds objects that cannot be deleted, because of a hold or a retention policy. One is "
                    + InputText.quote(deleted.example()) + ".";
        }
    }
}
