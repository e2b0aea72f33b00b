package io.bucketwright.cosi.sidecar.released;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.ApplicationKeys;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of the Secret of a BucketAccess: the key {@code BucketInfo} with a JSON text as released. Applications parse
 * it, so that each member is always there. Its name proves which BucketAccess the Secret belongs to. An access class can
 * request flat keys beside it, for applications that read environment variables.
 */
final class BucketInfoContent {

    private BucketInfoContent() {}

    static Map<String, String> data(
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            String bucketObject,
            GrantedAccess granted) {
        AccountCredentials credentials = granted.credentials();
        // The reference writes the name of the Bucket, which is wrong for most existing buckets.
        String bucketName = granted.bucketNameOr(bucketObject);
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        spec.put("bucketName", bucketName);
        spec.put("authenticationType", accessClass.getAuthenticationType());
        spec.put("secretS3", credentials instanceof AccountCredentials.S3Key key ? s3(key) : null);
        spec.put("secretAzure", credentials instanceof AccountCredentials.AzureToken token ? azure(token) : null);
        spec.put("protocols", List.of(access.spec().protocol()));
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ReleasedNames.bucketInfoOf(access.getMetadata().getUid()));
        metadata.put("creationTimestamp", null);
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("metadata", metadata);
        info.put("spec", spec);
        Map<String, String> data = new TreeMap<>();
        if (Metadata.annotation(accessClass, ReleasedNames.SECRET_FORMAT).equals(ReleasedNames.FLAT_KEYS)) {
            ApplicationKeys.of(credentials, bucketName).forEach((key, value) -> data.put(key, base64(value)));
        }
        data.put(ReleasedNames.BUCKET_INFO, encoded(info));
        return data;
    }

    private static String base64(SecretValue value) {
        return Base64.getEncoder().encodeToString(value.reveal().getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the Secret belongs to the BucketAccess with this uid, whichever sidecar wrote it. */
    static boolean isOf(Secret secret, String accessUid) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(ReleasedNames.BUCKET_INFO))
                .map(BucketInfoContent::name)
                .filter(ReleasedNames.bucketInfoOf(accessUid)::equals)
                .isPresent();
    }

    /** Equal for equal keys or tokens only. */
    static String fingerprint(AccountCredentials credentials) {
        return switch (credentials) {
            case AccountCredentials.S3Key key ->
                fingerprint(key.accessKeyId(), key.secretKey().reveal());
            case AccountCredentials.AzureToken token ->
                fingerprint("", token.token().reveal());
            // Not of a driver of this protocol.
            case AccountCredentials.Named _ -> "";
        };
    }

    /** Of the key or the token in the Secret. */
    static String fingerprint(Secret secret) {
        JsonNode spec = Optional.ofNullable(secret.getData())
                .map(data -> data.get(ReleasedNames.BUCKET_INFO))
                .map(BucketInfoContent::parsed)
                .orElseGet(MissingNode::getInstance)
                .path("spec");
        String token = spec.at("/secretAzure/accessToken").asText();
        return token.isEmpty()
                ? fingerprint(
                        spec.at("/secretS3/accessKeyID").asText(),
                        spec.at("/secretS3/accessSecretKey").asText())
                : fingerprint("", token);
    }

    private static String fingerprint(String id, String secret) {
        try {
            byte[] text = (id + "\n" + secret).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> s3(AccountCredentials.S3Key key) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("endpoint", key.endpoint());
        values.put("region", key.region());
        values.put("accessKeyID", key.accessKeyId());
        values.put("accessSecretKey", key.secretKey().reveal());
        return values;
    }

    private static Map<String, @Nullable String> azure(AccountCredentials.AzureToken token) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        values.put("accessToken", token.token().reveal());
        values.put(
                "expiryTimeStamp", token.expiry().map(BucketInfoContent::time).orElse(null));
        return values;
    }

    /** As Kubernetes writes times, which libraries for Kubernetes require: without fractions of a second. */
    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String encoded(Map<String, Object> info) {
        try {
            return Base64.getEncoder().encodeToString(new ObjectMapper().writeValueAsBytes(info));
        } catch (JsonProcessingException e) {
            // The cause would quote what it could not write.
            throw new IllegalStateException("The credentials cannot be written as JSON");
        }
    }

    private static String name(String base64) {
        return parsed(base64).at("/metadata/name").asText();
    }

    private static JsonNode parsed(String base64) {
        try {
            String json = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
            return new ObjectMapper().readTree(json);
        } catch (IOException | IllegalArgumentException e) {
            // Somebody else's content, which is not JSON. Its text is not for logs.
            return MissingNode.getInstance();
        }
    }
}
