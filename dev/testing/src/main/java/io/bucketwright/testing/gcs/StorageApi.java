package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Buckets and objects in the JSON API: {@code /storage/v1/b/…} and {@code /upload/storage/v1/b/…}. */
final class StorageApi {

    private static final String IF_UNCHANGED = "ifMetagenerationMatch";
    private static final int DEFAULT_PAGE = 1000;
    private static final int BUCKETS_IN_A_PAGE = 2;

    private final GcsState state;

    StorageApi(GcsState state) {
        this.state = state;
    }

    GcsResponse handle(GcsRequest request) {
        GcsAccount caller = state.bearer(request);
        if (request.is("POST", 3)) {
            return create(request, caller);
        }
        if (request.is("GET", 3)) {
            return list(request, caller);
        }
        if (request.path().size() < 4) {
            throw GcsProblem.notFound("Not Found");
        }
        GcsBucket bucket = state.bucket(request.path().get(3));
        String part = request.path().size() > 4 ? request.path().get(4) : "";
        return switch (part) {
            case "" -> bucket(request, caller, bucket);
            case "iam" -> policy(request, caller, bucket);
            case "lockRetentionPolicy" -> lock(request, caller, bucket);
            case "o" -> request.path().size() == 5 ? objects(request, caller, bucket) : object(request, caller, bucket);
            default -> throw GcsProblem.notFound("Not Found");
        };
    }

    private GcsResponse create(GcsRequest request, GcsAccount caller) {
        request.only("project", "enableObjectRetention");
        JsonNode body = request.json(BucketFields.WRITABLE);
        if (!request.require("project").equals(state.project)) {
            throw new GcsProblem(400, "invalid", "Unknown project id: " + request.text("project"));
        }
        state.require(caller, "storage.buckets.create");
        String name = body.path("name").asText("");
        BucketFields.checkName(name);
        BucketFields.check(body);
        if (state.buckets.containsKey(name)) {
            throw new GcsProblem(
                    409,
                    "conflict",
                    "Your previous request to create the named bucket succeeded and you already own it.");
        }
        ObjectNode resource = body.deepCopy();
        resource.put("timeCreated", Instant.now().toString());
        if (request.text("enableObjectRetention").equals("true")) {
            state.require(caller, "storage.buckets.enableObjectRetention");
            resource.putObject("objectRetention").put("mode", "Enabled");
        }
        GcsBucket bucket = new GcsBucket(name, resource);
        bucket.bindings
                .addObject()
                .put("role", "roles/storage.legacyBucketOwner")
                .putArray("members")
                .add("projectEditor:" + state.project)
                .add("projectOwner:" + state.project);
        bucket.bindings
                .addObject()
                .put("role", "roles/storage.legacyBucketReader")
                .putArray("members")
                .add("projectViewer:" + state.project);
        state.buckets.put(name, bucket);
        return GcsResponse.json(request, bucket.shown());
    }

    private GcsResponse list(GcsRequest request, GcsAccount caller) {
        request.only("project", "prefix", "maxResults", "pageToken");
        if (!request.require("project").equals(state.project)) {
            throw new GcsProblem(400, "invalid", "Unknown project id: " + request.text("project"));
        }
        state.require(caller, "storage.buckets.list");
        ObjectNode page = JsonNodeFactory.instance.objectNode().put("kind", "storage#buckets");
        List<ObjectNode> items = new ArrayList<>();
        state.buckets.values().stream()
                .filter(bucket -> bucket.name.startsWith(request.text("prefix")))
                .filter(bucket -> bucket.name.compareTo(request.text("pageToken")) > 0)
                .forEach(bucket -> items.add(bucket.shown()));
        // Small pages, so that clients must follow them: a server may return less than requested.
        int limit =
                Math.min(Math.min(request.number("maxResults").orElse(DEFAULT_PAGE), BUCKETS_IN_A_PAGE), items.size());
        if (limit < items.size()) {
            page.put("nextPageToken", items.get(limit - 1).path("name").asText());
        }
        if (limit > 0) {
            page.putArray("items").addAll(items.subList(0, limit));
        }
        return GcsResponse.json(request, page);
    }

    private GcsResponse bucket(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        request.only(IF_UNCHANGED);
        switch (request.method()) {
            case "GET" -> state.require(caller, "storage.buckets.get", bucket);
            case "PATCH" -> {
                state.require(caller, "storage.buckets.update", bucket);
                checkUnchanged(request, bucket);
                change(bucket, request.json(BucketFields.WRITABLE));
            }
            case "DELETE" -> {
                state.require(caller, "storage.buckets.delete", bucket);
                checkUnchanged(request, bucket);
                if (!bucket.isEmpty() || !bucket.uploads.isEmpty()) {
                    throw new GcsProblem(409, "conflict", "The bucket you tried to delete is not empty.");
                }
                state.buckets.remove(bucket.name);
                return GcsResponse.empty();
            }
            default -> throw new GcsProblem(405, "httpMethodNotAllowed", "Method not allowed");
        }
        return GcsResponse.json(request, bucket.shown());
    }

    private static void change(GcsBucket bucket, JsonNode patch) {
        BucketFields.check(patch);
        ObjectNode changed = bucket.resource.deepCopy();
        if (patch.has("name") || patch.has("location")) {
            throw GcsProblem.invalid("Name and location cannot be changed.");
        }
        boolean locked = changed.path("retentionPolicy").path("isLocked").asBoolean(false);
        if (locked && patch.has("retentionPolicy")) {
            throw new GcsProblem(403, "forbidden", "Cannot change a locked retention policy.");
        }
        BucketFields.merge(changed, patch);
        if (changed.path("labels").size() > BucketFields.MOST_LABELS) {
            throw GcsProblem.invalid("A bucket can have at most 64 labels.");
        }
        bucket.resource = changed;
        bucket.metageneration++;
    }

    private GcsResponse lock(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        request.only(IF_UNCHANGED).require(IF_UNCHANGED);
        state.require(caller, "storage.buckets.update", bucket);
        checkUnchanged(request, bucket);
        if (!bucket.resource.has("retentionPolicy")) {
            throw GcsProblem.invalid("The bucket has no retention policy.");
        }
        bucket.resource.withObject("/retentionPolicy").put("isLocked", true);
        bucket.metageneration++;
        return GcsResponse.json(request, bucket.shown());
    }

    private static void checkUnchanged(GcsRequest request, GcsBucket bucket) {
        String wanted = request.text(IF_UNCHANGED);
        if (!wanted.isEmpty() && !wanted.equals(Long.toString(bucket.metageneration))) {
            throw GcsProblem.changed();
        }
    }

    private GcsResponse policy(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        if (request.method().equals("PUT")) {
            request.only();
            JsonNode policy = request.json("version", "etag", "bindings", "kind", "resourceId");
            state.require(caller, "storage.buckets.setIamPolicy", bucket);
            if (!policy.path("etag").asText("").equals(etag(bucket))) {
                throw GcsProblem.changed();
            }
            state.checkBindings(bucket, policy);
            bucket.bindings = policy.path("bindings").deepCopy();
            bucket.policyVersion = policy.path("version").asInt(1);
            bucket.policyEtag++;
            bucket.metageneration++;
        } else {
            request.only("optionsRequestedPolicyVersion");
            state.require(caller, "storage.buckets.getIamPolicy", bucket);
            if (request.number("optionsRequestedPolicyVersion").orElse(1) < bucket.policyVersion) {
                throw GcsProblem.invalid("The policy has conditions: request version 3.");
            }
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("kind", "storage#policy")
                .put("resourceId", "projects/_/buckets/" + bucket.name)
                .put("version", bucket.policyVersion)
                .put("etag", etag(bucket));
        shown.set("bindings", bucket.bindings.deepCopy());
        return GcsResponse.json(request, shown);
    }

    private static String etag(GcsBucket bucket) {
        return "CA" + bucket.policyEtag + "=";
    }

    private GcsResponse objects(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        if (request.method().equals("POST")) {
            return insert(request, caller, bucket);
        }
        request.only("versions", "prefix", "maxResults", "pageToken", "projection", "softDeleted");
        String prefix = request.text("prefix");
        state.requireList(caller, bucket, prefix);
        if (request.text("softDeleted").equals("true")) {
            ObjectNode deleted = JsonNodeFactory.instance.objectNode().put("kind", "storage#objects");
            if (request.text("pageToken").isEmpty() && !bucket.softDeleted.isEmpty()) {
                // A page can be empty although more follow.
                return GcsResponse.json(request, deleted.put("nextPageToken", "second"));
            }
            bucket.softDeleted.forEach(
                    name -> deleted.withArray("/items").addObject().put("name", name));
            return GcsResponse.json(request, deleted);
        }
        boolean versions = request.text("versions").equals("true");
        int limit = request.number("maxResults").orElse(DEFAULT_PAGE);
        ObjectNode page = JsonNodeFactory.instance.objectNode().put("kind", "storage#objects");
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        String last = "";
        for (var object : bucket.objects().entrySet()) {
            for (GcsBucket.Generation generation : object.getValue()) {
                String position = object.getKey() + "#" + generation.number();
                if (!object.getKey().startsWith(prefix)
                        || !(versions || generation.live())
                        || position.compareTo(request.text("pageToken")) <= 0) {
                    continue;
                }
                if (items.size() == limit) {
                    page.put("nextPageToken", last);
                    return GcsResponse.json(request, page.set("items", items));
                }
                last = position;
                items.add(shown(object.getKey(), generation));
            }
        }
        if (!items.isEmpty()) {
            page.set("items", items);
        }
        return GcsResponse.json(request, page);
    }

    private static ObjectNode shown(String key, GcsBucket.Generation generation) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "storage#object")
                .put("name", key)
                .put("generation", Long.toString(generation.number()))
                .put("size", Integer.toString(generation.data().length()));
    }

    /**
     * A simple upload, {@code POST /upload/storage/v1/b/BUCKET/o?uploadType=media}, or one with metadata, {@code
     * uploadType=multipart}.
     */
    private GcsResponse insert(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        request.only("uploadType", "name");
        String type = request.text("uploadType");
        if (!request.rawPath().startsWith("/upload/")
                || !List.of("media", "multipart").contains(type)) {
            throw GcsProblem.invalid("Only uploads with one request are supported.");
        }
        UploadBody upload = type.equals("media")
                ? new UploadBody(request.require("name"), request.body())
                : UploadBody.ofParts(request);
        write(caller, bucket, upload.name(), upload.data());
        return GcsResponse.json(
                request, shown(upload.name(), bucket.live(upload.name()).orElseThrow()));
    }

    void write(GcsAccount caller, GcsBucket bucket, String key, String data) {
        state.requireObject(caller, "storage.objects.create", bucket, key);
        if (bucket.live(key).isPresent()) {
            state.requireObject(caller, "storage.objects.delete", bucket, key);
        }
        bucket.put(key, data, state.nextNumber());
    }

    private GcsResponse object(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        if (request.path().size() != 6) {
            throw GcsProblem.notFound("Not Found");
        }
        String key = request.path().get(5);
        return switch (request.method()) {
            case "GET" -> {
                request.only();
                yield GcsResponse.data(read(caller, bucket, key));
            }
            case "DELETE" -> {
                request.only("generation");
                delete(caller, bucket, key, request.text("generation"));
                yield GcsResponse.empty();
            }
            default -> throw new GcsProblem(405, "httpMethodNotAllowed", "Method not allowed");
        };
    }

    String read(GcsAccount caller, GcsBucket bucket, String key) {
        state.requireObject(caller, "storage.objects.get", bucket, key);
        return bucket.live(key)
                .orElseThrow(() -> GcsProblem.notFound("No such object: " + bucket.name + "/" + key))
                .data();
    }

    void delete(GcsAccount caller, GcsBucket bucket, String key, String generation) {
        state.requireObject(caller, "storage.objects.delete", bucket, key);
        if (!generation.isEmpty()) {
            bucket.delete(key, Long.parseLong(generation));
        } else if (bucket.live(key).isPresent()) {
            bucket.retire(key);
        } else {
            throw GcsProblem.notFound("No such object: " + bucket.name + "/" + key);
        }
    }
}
