package io.bucketwright.buckets.objects;

import io.bucketwright.store.connection.SecretValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Digests that detect changed content. They include lengths, so that no two contents have the same input text. */
public final class ContentDigest {

    private ContentDigest() {}

    public static String of(Map<String, String> entries) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(entries).forEach((key, value) -> append(text, key, value));
        return of(text);
    }

    private static void append(StringBuilder text, String key, String value) {
        text.append(key.length()).append(':').append(key);
        text.append(value.length()).append(':').append(value);
    }

    private static String of(StringBuilder text) {
        return "sha256:" + HexFormat.of().formatHex(sha256(text.toString()));
    }

    /** A digest of one value. */
    public static String of(String key, String value) {
        StringBuilder text = new StringBuilder();
        append(text, key, value);
        return of(text);
    }

    /** A digest of each value of a ConfigMap, or of a Secret's data. */
    public static SortedMap<String, String> ofEach(Map<String, String> data) {
        SortedMap<String, String> digests = new TreeMap<>();
        data.forEach((key, value) -> digests.put(key, of(key, value)));
        return digests;
    }

    /** The same for values that are not in a Secret yet. */
    public static SortedMap<String, String> ofSecret(Map<String, SecretValue> values) {
        return ofEach(base64(values));
    }

    public static SortedMap<String, String> base64(Map<String, SecretValue> values) {
        SortedMap<String, String> data = new TreeMap<>();
        values.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.reveal().getBytes(StandardCharsets.UTF_8))));
        return data;
    }

    /** The values of a Secret's data; empty if it has none. */
    public static SortedMap<String, SecretValue> decode(@Nullable Map<String, String> base64) {
        SortedMap<String, SecretValue> values = new TreeMap<>();
        if (base64 != null) {
            base64.forEach((key, value) -> values.put(
                    key, SecretValue.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))));
        }
        return values;
    }

    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
