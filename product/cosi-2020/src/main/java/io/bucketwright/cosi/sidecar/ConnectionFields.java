package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.fabric8.kubernetes.api.model.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a Bucket records of the driver's answer to CreateBucket: the connection data in {@code spec.protocol}, and the id in
 * an annotation. One of them must be there: it proves that the bucket exists.
 */
final class ConnectionFields {

    private static final int MAX_URL = 2048;
    private static final int MAX_LENGTH = 255;

    /** None of them is secret. */
    private static final Set<String> KEYS = Set.of(
            ConnectionDataKey.BUCKET_ENDPOINT.key(),
            ConnectionDataKey.BUCKET_REGION.key(),
            ConnectionDataKey.GOOGLE_CLOUD_PROJECT.key(),
            ConnectionDataKey.AZURE_STORAGE_ACCOUNT.key(),
            ParameterKeys.S3_SIGNATURE_VERSION,
            ParameterKeys.GCS_PRIVATE_KEY_NAME,
            ParameterKeys.GCS_SERVICE_ACCOUNT);

    private ConnectionFields() {}

    /** The connection data in the Secret of an access: the credentials in it stay there. */
    static CreatedBucket in(Secret secret) {
        Map<String, String> data = new HashMap<>();
        SecretData.of(secret).forEach((key, value) -> {
            if (KEYS.contains(key)) {
                data.put(key, value.reveal());
            }
        });
        return new CreatedBucket(Optional.empty(), data);
    }

    static DriverAnswer<JsonPatch> of(Bucket bucket, CreatedBucket created) {
        DriverAnswer<JsonPatch> connection = connection(bucket, created.connection());
        return created.id()
                .<DriverAnswer<JsonPatch>>map(id -> new DriverAnswer.Done<>(withId(
                        connection instanceof DriverAnswer.Done<JsonPatch>(JsonPatch patch)
                                ? patch
                                : optional(bucket, created.connection()),
                        bucket,
                        id)))
                .orElse(connection);
    }

    private static JsonPatch withId(JsonPatch patch, Bucket bucket, String id) {
        return Metadata.annotations(bucket).isEmpty()
                ? patch.add(JsonPatch.path("metadata", "annotations"), Map.of(CosiNames.BUCKET_ID, id))
                : patch.add(JsonPatch.path("metadata", "annotations", CosiNames.BUCKET_ID), id);
    }

    /** What is known without the address. */
    private static JsonPatch optional(Bucket bucket, Map<String, String> data) {
        return switch (bucket.getSpec().protocol().protocol().orElse(null)) {
            case S3 -> s3Details(JsonPatch.empty(), data);
            case GCS -> gcsDetails(JsonPatch.empty(), data);
            case AZURE_BLOB -> JsonPatch.empty();
            case null -> JsonPatch.empty();
        };
    }

    private static DriverAnswer<JsonPatch> connection(Bucket bucket, Map<String, String> data) {
        return switch (bucket.getSpec().protocol().protocol().orElse(null)) {
            case S3 -> s3(data);
            case GCS -> gcs(data);
            case AZURE_BLOB -> field("azureBlob", "storageAccount", ConnectionDataKey.AZURE_STORAGE_ACCOUNT, data);
            case null -> DriverAnswer.invalidResponse("spec.protocol of the Bucket has no known protocol.");
        };
    }

    private static DriverAnswer<JsonPatch> gcs(Map<String, String> data) {
        return field("gcs", "projectId", ConnectionDataKey.GOOGLE_CLOUD_PROJECT, data)
                .then(patch -> new DriverAnswer.Done<>(gcsDetails(patch, data)));
    }

    private static JsonPatch gcsDetails(JsonPatch patch, Map<String, String> data) {
        JsonPatch named = optional(patch, data, ParameterKeys.GCS_PRIVATE_KEY_NAME, "gcs", "privateKeyName");
        return optional(named, data, ParameterKeys.GCS_SERVICE_ACCOUNT, "gcs", "serviceAccount");
    }

    private static JsonPatch s3Details(JsonPatch patch, Map<String, String> data) {
        JsonPatch located = optional(patch, data, ConnectionDataKey.BUCKET_REGION.name(), "s3", "region");
        return optional(located, data, ParameterKeys.S3_SIGNATURE_VERSION, "s3", "signatureVersion");
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
        return new DriverAnswer.Done<>(s3Details(patch, data));
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
