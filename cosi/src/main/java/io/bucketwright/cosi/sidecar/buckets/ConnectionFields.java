package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.errors.InputText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;

/** What a driver told of a new bucket, as the fields of {@code Bucket.spec.protocol}. */
sealed interface ConnectionFields {

    /** All that says where the bucket is. */
    record Complete(JsonPatch patch) implements ConnectionFields {}

    /** The driver left out, or garbled, what an application needs. */
    record Lacking(String message) implements ConnectionFields {}

    int LONGEST_URL = 2048;
    int LONGEST = 255;

    static ConnectionFields of(Bucket bucket, Map<String, String> told) {
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        return switch (protocol.orElse(null)) {
            case S3 -> s3(told);
            case GCS -> one("gcs", "projectId", ConnectionDataKey.GOOGLE_CLOUD_PROJECT, told);
            case AZURE_BLOB -> one("azureBlob", "storageAccount", ConnectionDataKey.AZURE_STORAGE_ACCOUNT, told);
            case null -> new Lacking("The Bucket names no protocol that is known here.");
        };
    }

    private static ConnectionFields s3(Map<String, String> told) {
        String endpoint = told.getOrDefault(ConnectionDataKey.BUCKET_ENDPOINT.name(), "");
        if (!isUrl(endpoint)) {
            return new Lacking("The driver made the bucket and gave no usable " + ConnectionDataKey.BUCKET_ENDPOINT + " but "
                    + InputText.quote(endpoint) + "; without the URL of the store nobody can use it. Mend the driver.");
        }
        JsonPatch patch = JsonPatch.empty().add(JsonPatch.path("spec", "protocol", "s3", "endpoint"), endpoint);
        String region = told.getOrDefault(ConnectionDataKey.BUCKET_REGION.name(), "");
        boolean usable = !region.isBlank() && region.length() <= LONGEST;
        return new Complete(usable ? patch.add(JsonPatch.path("spec", "protocol", "s3", "region"), region) : patch);
    }

    private static ConnectionFields one(String part, String field, ConnectionDataKey key, Map<String, String> told) {
        String value = told.getOrDefault(key.name(), "");
        return value.isBlank() || value.length() > LONGEST
                ? new Lacking("The driver made the bucket and gave no usable " + key
                        + "; without it nobody can use the bucket. Mend the driver.")
                : new Complete(JsonPatch.empty().add(JsonPatch.path("spec", "protocol", part, field), value));
    }

    private static boolean isUrl(String text) {
        if (text.length() > LONGEST_URL) {
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
