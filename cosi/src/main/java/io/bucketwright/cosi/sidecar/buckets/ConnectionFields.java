package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.ConnectionDataKey;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/** Reads the connection data in the response to CreateBucket, as a patch of {@code Bucket.spec.protocol}. */
final class ConnectionFields {

    private static final int MAX_URL = 2048;
    private static final int MAX_LENGTH = 255;

    private ConnectionFields() {}

    static DriverAnswer<JsonPatch> read(Bucket bucket, CreateBucketRequest request, CreateBucketResponse response) {
        if (!response.hasBucket()) {
            return DriverAnswer.invalidResponse(
                    "The response of the driver to CreateBucket contains no bucket. Fix the driver; the sidecar retries.");
        }
        String name = response.getBucket().getName();
        if (!name.isEmpty() && !name.equals(request.getBucketName())) {
            return DriverAnswer.invalidResponse("The driver answered CreateBucket for bucket "
                    + request.getBucketName() + " with bucket " + SafeText.quoted(name)
                    + ". Fix the driver; the sidecar retries.");
        }
        return of(bucket, data(response.getBucket().getProviderContext()));
    }

    private static Map<String, String> data(ProviderContext context) {
        return switch (context.getContextCase()) {
            case GENERIC_CONTEXT -> context.getGenericContext().getBucketDataMap();
            case S3_CONTEXT ->
                Map.of(
                        ConnectionDataKey.BUCKET_REGION.name(),
                        context.getS3Context().getLocation());
            case GCS_CONTEXT ->
                Map.of(
                        ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(),
                        context.getGcsContext().getProject());
            case AZURE_CONTEXT, CONTEXT_NOT_SET -> Map.of();
        };
    }

    private static DriverAnswer<JsonPatch> of(Bucket bucket, Map<String, String> data) {
        return switch (bucket.getSpec().protocol().protocol().orElse(null)) {
            case S3 -> s3(data);
            case GCS -> field("gcs", "projectId", ConnectionDataKey.GOOGLE_CLOUD_PROJECT, data);
            case AZURE_BLOB -> field("azureBlob", "storageAccount", ConnectionDataKey.AZURE_STORAGE_ACCOUNT, data);
            case null -> DriverAnswer.invalidResponse("spec.protocol of the Bucket has no known protocol.");
        };
    }

    private static DriverAnswer<JsonPatch> s3(Map<String, String> data) {
        String endpoint = data.getOrDefault(ConnectionDataKey.BUCKET_ENDPOINT.name(), "");
        if (!isUrl(endpoint)) {
            return DriverAnswer.invalidResponse("The driver created the bucket, but its "
                    + ConnectionDataKey.BUCKET_ENDPOINT + " " + SafeText.quoted(endpoint)
                    + " is not a URL. Fix the driver; the sidecar retries.");
        }
        JsonPatch patch = JsonPatch.empty().add(JsonPatch.path("spec", "protocol", "s3", "endpoint"), endpoint);
        String region = data.getOrDefault(ConnectionDataKey.BUCKET_REGION.name(), "");
        boolean usable = !region.isBlank() && region.length() <= MAX_LENGTH;
        return new DriverAnswer.Done<>(
                usable ? patch.add(JsonPatch.path("spec", "protocol", "s3", "region"), region) : patch);
    }

    private static DriverAnswer<JsonPatch> field(
            String part, String field, ConnectionDataKey key, Map<String, String> data) {
        String value = data.getOrDefault(key.name(), "");
        return value.isBlank() || value.length() > MAX_LENGTH
                ? DriverAnswer.invalidResponse("The driver created the bucket, but returned no usable " + key
                        + ". Fix the driver; the sidecar retries.")
                : new DriverAnswer.Done<>(
                        JsonPatch.empty().add(JsonPatch.path("spec", "protocol", part, field), value));
    }

    private static boolean isUrl(String text) {
        if (text.length() > MAX_URL) {
            return false;
        }
        try {
            URI uri = new URI(text);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
