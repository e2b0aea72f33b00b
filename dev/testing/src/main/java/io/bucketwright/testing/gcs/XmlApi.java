package io.bucketwright.testing.gcs;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The XML API, which clients of S3 use: {@code /BUCKET/OBJECT}. */
final class XmlApi {

    private final GcsState state;
    private final StorageApi storage;
    private final HmacSignature signatures;

    XmlApi(GcsState state, StorageApi storage) {
        this.state = state;
        this.storage = storage;
        this.signatures = new HmacSignature(state);
    }

    GcsResponse handle(GcsRequest request) {
        try {
            String authorization = request.header("Authorization");
            GcsAccount caller = authorization.isEmpty()
                    ? new GcsAccount("anonymous", "", "", "")
                    : authorization.startsWith("Bearer ") ? state.bearer(request) : signatures.verify(request);
            return respond(request, caller);
        } catch (GcsProblem problem) {
            String code = switch (problem.reason()) {
                case "forbidden" -> "AccessDenied";
                case "notFound" -> request.path().size() == 1 ? "NoSuchBucket" : "NoSuchKey";
                default -> problem.reason();
            };
            return GcsResponse.xml(
                    problem.status(),
                    "<Error><Code>" + code + "</Code><Message>Failed.</Message><Details>"
                            + escape(String.valueOf(problem.getMessage())) + "</Details></Error>");
        }
    }

    private GcsResponse respond(GcsRequest request, GcsAccount caller) {
        String name = request.path().getFirst();
        if (name.isEmpty()) {
            state.require(caller, "storage.buckets.list");
            throw GcsProblem.invalid("Not supported here.");
        }
        String key = request.path().stream().skip(1).collect(Collectors.joining("/"));
        if (!key.isEmpty()) {
            return object(request, caller, state.bucket(name), key);
        }
        if (request.method().equals("PUT") && request.query().isEmpty()) {
            state.require(caller, "storage.buckets.create");
            throw GcsProblem.invalid("Not supported here.");
        }
        return bucket(request, caller, state.bucket(name));
    }

    private GcsResponse bucket(GcsRequest request, GcsAccount caller, GcsBucket bucket) {
        if (request.method().equals("GET") && request.query().containsKey("uploads")) {
            state.require(caller, "storage.multipartUploads.list", bucket);
            int limit = request.number("max-uploads").orElse(1000);
            return GcsResponse.xml(
                    200,
                    "<ListMultipartUploadsResult><Bucket>" + bucket.name + "</Bucket>"
                            + bucket.uploads.entrySet().stream()
                                    .limit(limit)
                                    .map(upload -> "<Upload><Key>" + escape(upload.getValue()) + "</Key><UploadId>"
                                            + upload.getKey() + "</UploadId></Upload>")
                                    .collect(Collectors.joining())
                            + "</ListMultipartUploadsResult>");
        }
        if (request.method().equals("GET")
                && request.query().keySet().stream().allMatch(List.of("list-type", "prefix")::contains)) {
            String prefix = request.text("prefix");
            state.requireList(caller, bucket, prefix);
            return GcsResponse.xml(
                    200,
                    "<ListBucketResult><Name>" + bucket.name + "</Name><IsTruncated>false</IsTruncated>"
                            + bucket.objects().keySet().stream()
                                    .filter(key -> key.startsWith(prefix)
                                            && bucket.live(key).isPresent())
                                    .map(key -> "<Contents><Key>" + escape(key) + "</Key></Contents>")
                                    .collect(Collectors.joining())
                            + "</ListBucketResult>");
        }
        state.require(
                caller,
                request.method().equals("DELETE")
                        ? "storage.buckets.delete"
                        : request.query().containsKey("acl")
                                ? "storage.buckets.setIamPolicy"
                                : "storage.buckets.update",
                bucket);
        throw GcsProblem.invalid("Not supported here.");
    }

    private GcsResponse object(GcsRequest request, GcsAccount caller, GcsBucket bucket, String key) {
        if (request.method().equals("POST") && request.query().containsKey("uploads")) {
            state.requireObject(caller, "storage.multipartUploads.create", bucket, key);
            String id = state.randomText(12);
            bucket.uploads.put(id, key);
            return GcsResponse.xml(
                    200,
                    "<InitiateMultipartUploadResult><Bucket>" + bucket.name + "</Bucket><Key>" + escape(key)
                            + "</Key><UploadId>" + id + "</UploadId></InitiateMultipartUploadResult>");
        }
        if (request.method().equals("DELETE") && request.query().containsKey("uploadId")) {
            state.requireObject(caller, "storage.multipartUploads.abort", bucket, key);
            if (!bucket.uploads.remove(request.text("uploadId"), key)) {
                throw new GcsProblem(404, "NoSuchUpload", "The requested upload was not found.");
            }
            return GcsResponse.empty();
        }
        if (!request.query().isEmpty()) {
            throw GcsProblem.invalid("Unknown parameters " + request.query().keySet());
        }
        return switch (request.method()) {
            case "PUT" -> {
                storage.write(caller, bucket, key, request.body());
                yield new GcsResponse(200, "text/html", "", Map.of("ETag", "\"1\""));
            }
            case "GET" -> GcsResponse.data(storage.read(caller, bucket, key));
            case "DELETE" -> {
                storage.delete(caller, bucket, key, "");
                yield GcsResponse.empty();
            }
            default -> throw new GcsProblem(405, "MethodNotAllowed", "Method not allowed");
        };
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
