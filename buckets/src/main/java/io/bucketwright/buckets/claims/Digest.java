package io.bucketwright.buckets.claims;

import io.bucketwright.store.connection.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Short proofs that nobody changed something. Lengths are part of them, so that no two contents have the same text. */
final class Digest {

    private Digest() {}

    static String of(Map<String, String> entries) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(entries)
                .forEach((key, value) -> text.append(key.length())
                        .append(':')
                        .append(key)
                        .append(value.length())
                        .append(':')
                        .append(value));
        return "sha256:" + HexFormat.of().formatHex(UidRandom.sha256(text.toString()));
    }

    /** The values of a Secret's data, each only as a digest. */
    static SortedMap<String, String> ofEach(Map<String, String> base64) {
        SortedMap<String, String> digests = new TreeMap<>();
        base64.forEach((key, value) -> digests.put(key, of(Map.of(key, value))));
        return digests;
    }

    static SortedMap<String, String> base64(Map<String, SecretValue> values) {
        SortedMap<String, String> data = new TreeMap<>();
        values.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.reveal().getBytes(StandardCharsets.UTF_8))));
        return data;
    }
}
