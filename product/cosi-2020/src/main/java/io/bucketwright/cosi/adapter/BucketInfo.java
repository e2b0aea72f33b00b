package io.bucketwright.cosi.adapter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.store.connection.ConnectionDataKey;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files that an application finds: one for each key of its Secret, and all of it as {@code BucketInfo.json}. */
final class BucketInfo {

    static final String FILE = "BucketInfo.json";

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    private BucketInfo() {}

    /**
     * The files.
     *
     * @throws IllegalArgumentException if a key cannot be the name of a file
     */
    static Map<String, byte[]> files(String accessRequest, Map<String, String> secrets) {
        Map<String, byte[]> files = new TreeMap<>();
        secrets.forEach((key, value) -> {
            if (!KEY.matcher(key).matches() || key.startsWith("..") || key.equals(".")) {
                throw new IllegalArgumentException("A key of the Secret cannot be the name of a file.");
            }
            files.put(key, value.getBytes(StandardCharsets.UTF_8));
        });
        files.put(FILE, json(accessRequest, secrets));
        return files;
    }

    /** The format of released COSI, with the name of the bucket in the store as bucketName. */
    private static byte[] json(String accessRequest, Map<String, String> secrets) {
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        spec.put("bucketName", get(secrets, ConnectionDataKey.BUCKET_NAME));
        spec.put("authenticationType", "Key");
        boolean s3 = secrets.containsKey(ConnectionDataKey.AWS_ACCESS_KEY_ID.name());
        boolean azure = secrets.containsKey(ConnectionDataKey.AZURE_STORAGE_ACCOUNT.name());
        boolean gcs = secrets.containsKey(ConnectionDataKey.GOOGLE_SERVICE_ACCOUNT_JSON.name());
        spec.put("secretS3", s3 ? s3(secrets) : null);
        spec.put("secretAzure", azure ? azure(secrets) : null);
        spec.put("secretGcs", gcs ? gcs(secrets) : null);
        spec.put("protocols", s3 ? List.of("S3") : azure ? List.of("Azure") : gcs ? List.of("GCS") : List.of());
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("metadata", Map.of("name", accessRequest));
        info.put("spec", spec);
        try {
            return new ObjectMapper().writeValueAsBytes(info);
        } catch (JsonProcessingException e) {
            // The cause would quote what it could not write.
            throw new IllegalStateException("What the Secret holds cannot be written as JSON");
        }
    }

    private static Map<String, String> s3(Map<String, String> secrets) {
        return Map.of(
                "endpoint", get(secrets, ConnectionDataKey.BUCKET_ENDPOINT),
                "region", get(secrets, ConnectionDataKey.BUCKET_REGION),
                "accessKeyID", get(secrets, ConnectionDataKey.AWS_ACCESS_KEY_ID),
                "accessSecretKey", get(secrets, ConnectionDataKey.AWS_SECRET_ACCESS_KEY));
    }

    private static Map<String, String> azure(Map<String, String> secrets) {
        return Map.of(
                "storageAccount", get(secrets, ConnectionDataKey.AZURE_STORAGE_ACCOUNT),
                "accessToken", get(secrets, ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN));
    }

    private static Map<String, String> gcs(Map<String, String> secrets) {
        return Map.of(
                "projectId", get(secrets, ConnectionDataKey.GOOGLE_CLOUD_PROJECT),
                "serviceAccountJson", get(secrets, ConnectionDataKey.GOOGLE_SERVICE_ACCOUNT_JSON));
    }

    private static String get(Map<String, String> secrets, ConnectionDataKey key) {
        return secrets.getOrDefault(key.name(), "");
    }
}
