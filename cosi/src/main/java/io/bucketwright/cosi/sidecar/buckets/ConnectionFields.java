package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.wire.ParameterKeys;
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
        return of(bucket, data(bucket, response.getBucket().getProviderContext()));
    }

    /** The contexts of the design have no field for the endpoint and the storage account: the class may name them. */
    private static Map<String, String> data(Bucket bucket, ProviderContext context) {
        Map<String, String> parameters = bucket.getSpec().parameters();
        return switch (context.getContextCase()) {
            case GENERIC_CONTEXT -> context.getGenericContext().getBucketDataMap();
            case S3_CONTEXT ->
                Map.of(
                        ConnectionDataKey.BUCKET_ENDPOINT.name(),
                        parameters.getOrDefault(ParameterKeys.ENDPOINT, ""),
                        ConnectionDataKey.BUCKET_REGION.name(),
                        context.getS3Context().getLocation());
            case GCS_CONTEXT ->
                Map.of(
                        ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(),
                        context.getGcsContext().getProject());
            case AZURE_CONTEXT ->
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_ACCOUNT.name(),
                        parameters.getOrDefault(ParameterKeys.STORAGE_ACCOUNT, ""));
            case CONTEXT_NOT_SET -> Map.of();
        };
    }

    private static DriverAnswer<JsonPatch> of(Bucket bucket, Map<String, String> data) {
        return switch (bucket.getSpec().protocol().protocol().orElse(null)) {
            case S3 -> s3(data);
            case GCS -> gcs(data);
            case AZURE_BLOB -> field("azureBlob", "storageAccount", ConnectionDataKey.AZURE_STORAGE_ACCOUNT, data);
            case null -> DriverAnswer.invalidResponse("spec.protocol of the Bucket has no known protocol.");
        };
    }

    private static DriverAnswer<JsonPatch> gcs(Map<String, String> data) {
        DriverAnswer<JsonPatch> project = field("gcs", "projectId", ConnectionDataKey.GOOGLE_CLOUD_PROJECT, data);
        return project instanceof DriverAnswer.Done<JsonPatch>(JsonPatch patch)
                ? new DriverAnswer.Done<>(optional(
                        optional(patch, data, ParameterKeys.GCS_PRIVATE_KEY_NAME, "gcs", "privateKeyName"),
                        data,
                        ParameterKeys.GCS_SERVICE_ACCOUNT,
                        "gcs",
                        "serviceAccount"))
                : project;
    }

    private static JsonPatch optional(
            JsonPatch patch, Map<String, String> data, String key, String part, String field) {
        String value = data.getOrDefault(key, "");
        boolean usable = !value.isBlank() && value.length() <= MAX_LENGTH;
        return usable ? patch.add(JsonPatch.path("spec", "protocol", part, field), value) : patch;
    }

    private static DriverAnswer<JsonPatch> s3(Map<String, String> data) {
        String endpoint = data.getOrDefault(ConnectionDataKey.BUCKET_ENDPOINT.name(), "");
        if (!isUrl(endpoint)) {
            return DriverAnswer.invalidResponse("The driver created the bucket, but its "
                    + ConnectionDataKey.BUCKET_ENDPOINT + " " + SafeText.quoted(endpoint)
                    + " is not a URL. Fix the driver; the sidecar retries.");
        }
        JsonPatch patch = JsonPatch.empty().add(JsonPatch.path("spec", "protocol", "s3", "endpoint"), endpoint);
        JsonPatch located = optional(patch, data, ConnectionDataKey.BUCKET_REGION.name(), "s3", "region");
        return new DriverAnswer.Done<>(
                optional(located, data, ParameterKeys.S3_SIGNATURE_VERSION, "s3", "signatureVersion"));
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
