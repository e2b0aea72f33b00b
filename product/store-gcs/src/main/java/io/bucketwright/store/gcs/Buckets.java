package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The buckets of a project, their labels and their usage. */
record Buckets(GcsClient client, GcsParameters parameters) {

    static final String KIND = "storage#bucket";

    private static final int MAX_USAGE_PAGES = 20;
    private static final String PAGE_SIZE = "1000";
    private static final String UNCHANGED = "ifMetagenerationMatch";

    /**
     * Reads a bucket; empty if it does not exist.
     *
     * @throws Taken if the bucket belongs to another project
     * @throws Denied if the administrator may not read it
     */
    Optional<BucketState> find(StoreCall call, BucketName bucket) {
        try {
            return Optional.of(new BucketState(
                    bucket, client.read(call, request("read the bucket " + bucket, "GET", bucket), KIND)));
        } catch (NotFound noSuchBucket) {
            return Optional.empty();
        } catch (Denied e) {
            if (isOfAnotherProject(call, bucket)) {
                throw new Taken(
                        "The bucket " + bucket + " already exists and belongs to another project of Google Cloud.");
            }
            throw e;
        }
    }

    BucketState require(StoreCall call, BucketName bucket) {
        return find(call, bucket).orElseThrow(() -> new NotFound("The bucket " + bucket + " does not exist."));
    }

    /** Whether the administrator may list the buckets of the project, and this one is not among them. */
    private boolean isOfAnotherProject(StoreCall call, BucketName bucket) {
        try {
            ApiRequest request = ApiRequest.of("list the buckets", "GET", parameters.endpoint(), "/storage/v1/b")
                    .with("project", parameters.project())
                    .with("prefix", bucket.text())
                    .with("fields", "kind,nextPageToken,items(name)");
            return client.pages(call, request, "storage#buckets")
                    .flatMap(page -> page.path("items").valueStream())
                    .noneMatch(item -> item.path("name").asText("").equals(bucket.text()));
        } catch (StoreException unknown) {
            return false;
        }
    }

    /** A part of the list of all buckets of the project. */
    BucketPage list(StoreCall call, String from) {
        ApiRequest request = ApiRequest.of("list the buckets", "GET", parameters.endpoint(), "/storage/v1/b")
                .with("project", parameters.project())
                .with("maxResults", PAGE_SIZE)
                .with("fields", "kind,nextPageToken,items(name,labels,timeCreated)");
        JsonNode page = client.read(call, request.from(from), "storage#buckets");
        return new BucketPage(
                page.path("items").valueStream().map(BucketState::listed).toList(),
                Optional.of(GcsClient.nextToken(page)).filter(Predicate.not(String::isEmpty)));
    }

    /**
     * Creates a bucket with its ownership tags and options in one request. Only IAM gives access to it, never an ACL.
     *
     * @param settings fields of the resource in addition to those that every bucket has
     * @throws Taken if a bucket of that name exists
     */
    BucketState create(StoreCall call, BucketName bucket, OwnershipTags ownership, ObjectNode settings) {
        ObjectNode resource = settings.deepCopy();
        resource.put("name", bucket.text()).put("location", parameters.location());
        if (!parameters.storageClass().isEmpty()) {
            resource.put("storageClass", parameters.storageClass());
        }
        resource.withObject("/iamConfiguration").put("publicAccessPrevention", "enforced");
        resource.withObject("/iamConfiguration/uniformBucketLevelAccess").put("enabled", true);
        ObjectNode labels = resource.withObject("/labels");
        Labels.of(ownership).forEach(labels::put);
        ApiRequest request = ApiRequest.of(
                        "create the bucket " + bucket, "POST", parameters.endpoint(), "/storage/v1/b")
                .with("project", parameters.project())
                .with(resource)
                .onConflict(ApiRequest.Conflict.NAME_TAKEN);
        return new BucketState(bucket, client.read(call, request, KIND));
    }

    /** Replaces the ownership tags and keeps other labels. */
    BucketState setOwnership(StoreCall call, BucketState bucket, OwnershipTags ownership) {
        List<String> former = bucket.labels().keySet().stream()
                .filter(key -> key.startsWith(Labels.RESERVED))
                .toList();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("labels", bucket.changedLabels(Labels.of(ownership), former));
        return change(call, bucket, body);
    }

    /**
     * Changes fields of a bucket if nobody else has changed it since it was read.
     *
     * @param fields as in a merge patch: null removes a field
     * @throws Unavailable if somebody else has changed it
     */
    BucketState change(StoreCall call, BucketState bucket, ObjectNode fields) {
        ApiRequest request = request("change the bucket " + bucket.bucket(), "PATCH", bucket.bucket())
                .with(UNCHANGED, bucket.metageneration())
                .with(fields);
        return new BucketState(
                bucket.bucket(),
                GcsClient.requireKind(
                        request,
                        client.sendConditionally(call, request).orElseThrow(() -> changed(bucket.bucket())),
                        KIND));
    }

    /** Locks the retention policy, for ever, if nobody else has changed the bucket since it was read. */
    void lockRetention(StoreCall call, BucketState bucket) {
        ApiRequest request = ApiRequest.of(
                        "lock the retention policy of " + bucket.bucket(),
                        "POST",
                        parameters.endpoint(),
                        path(bucket.bucket()) + "/lockRetentionPolicy")
                .with(UNCHANGED, bucket.metageneration());
        JsonNode _ = client.sendConditionally(call, request).orElseThrow(() -> changed(bucket.bucket()));
    }

    /** Objects that are deleted from now on cannot be restored. */
    BucketState endSoftDelete(StoreCall call, BucketState bucket) {
        JsonNode kept = bucket.resource().path("softDeletePolicy").path("retentionDurationSeconds");
        if (kept.asLong(0) == 0) {
            return bucket;
        }
        return change(call, bucket, withoutSoftDelete(JsonNodeFactory.instance.objectNode()));
    }

    /** Adds that objects cannot be restored after they were deleted. */
    static ObjectNode withoutSoftDelete(ObjectNode fields) {
        fields.putObject("softDeletePolicy").put("retentionDurationSeconds", "0");
        return fields;
    }

    /**
     * Deletes the bucket if it exists and nobody has changed it since it was read.
     *
     * @throws NotEmpty if it contains objects
     */
    void delete(StoreCall call, BucketState bucket) {
        ApiRequest request = request("delete the bucket " + bucket.bucket(), "DELETE", bucket.bucket())
                .with(UNCHANGED, bucket.metageneration())
                .onConflict(ApiRequest.Conflict.NOT_EMPTY);
        try {
            JsonNode _ = client.sendConditionally(call, request).orElseThrow(() -> changed(bucket.bucket()));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        } catch (NotEmpty notEmpty) {
            throw new NotEmpty("The bucket " + bucket.bucket() + " is not empty.");
        }
    }

    Usage usage(StoreCall call, BucketName bucket) {
        long bytes = 0;
        long objects = 0;
        boolean complete = false;
        ApiRequest request = ApiRequest.of(
                        "list the bucket " + bucket, "GET", parameters.endpoint(), path(bucket) + "/o")
                .with("maxResults", PAGE_SIZE)
                .with("fields", "kind,nextPageToken,items(size)");
        Iterator<JsonNode> pages = client.pages(call, request, "storage#objects")
                .limit(MAX_USAGE_PAGES)
                .iterator();
        while (pages.hasNext()) {
            JsonNode page = pages.next();
            objects += page.path("items").size();
            bytes += page.path("items")
                    .valueStream()
                    .mapToLong(item -> item.path("size").asLong(0))
                    .sum();
            complete = GcsClient.nextToken(page).isEmpty();
        }
        return new Usage(bytes, objects, complete);
    }

    static String path(BucketName bucket) {
        return "/storage/v1/b/" + ApiRequest.encode(bucket.text());
    }

    private ApiRequest request(String action, String method, BucketName bucket) {
        return ApiRequest.of(action, method, parameters.endpoint(), path(bucket));
    }

    private static Unavailable changed(BucketName bucket) {
        return new Unavailable("The bucket " + bucket + " was changed by somebody else at the same time.");
    }
}
