package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.store.connection.KeyRenames;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What an ObjectBucket remembers beside its intent. Everything here can be asked of the store again. */
record BucketRecord(ObjectBucket bucket) {

    static final String KEY_ID = "bucketwright.io/key-id";
    static final String PREVIOUS_KEY = "bucketwright.io/previous-key";
    static final String PREVIOUS_KEY_UNTIL = ObjectBucketNames.PREVIOUS_KEY_UNTIL_STATE;
    static final String SECRET_KEYS = "bucketwright.io/secret-keys";
    static final String OPTIONS = "bucketwright.io/options";
    static final String ROTATED_FOR = ObjectBucketNames.ROTATED_FOR_STATE;
    static final String ENDPOINT_DIGEST = "bucketwright.io/endpoint-digest";
    static final String RENAMES = "bucketwright.io/renames";

    Optional<BucketIntent> intent() {
        return spec().recordedIntent();
    }

    /** Whether the store has answered, and the answer is written down. */
    boolean complete() {
        return spec().reachableAt().flatMap(endpoint -> endpoint.bucket()).isPresent()
                && spec().recordedSecretDigest().isPresent();
    }

    /** Whether the endpoint is the one we wrote; otherwise somebody's edit would reach the applications. */
    boolean endpointIsOurs() {
        String recorded = state(ENDPOINT_DIGEST);
        return recorded.isEmpty()
                || spec().reachableAt()
                        .map(BucketRecord::digest)
                        .filter(recorded::equals)
                        .isPresent();
    }

    /** Of those fields that every schema in the field keeps: a dropped one must not look like an edit. */
    private static String digest(BucketEndpoint endpoint) {
        @Nullable String host = endpoint.bucketHost();
        @Nullable Integer port = endpoint.bucketPort();
        return digest(
                host == null ? "" : host,
                port == null ? 0 : port,
                endpoint.bucket().orElse(""),
                endpoint.config());
    }

    static String digest(String host, int port, String bucket, Map<String, String> config) {
        Map<String, String> all = new TreeMap<>();
        config.forEach((key, value) -> all.put("config." + key, value));
        all.put("host", host);
        all.put("port", Integer.toString(port));
        all.put("bucket", bucket);
        return Digest.of(all);
    }

    /** Whether the Secret and ConfigMap have the names of keys that are wanted now. */
    boolean isNamedBy(KeyRenames renames) {
        String recorded = state(RENAMES);
        return recorded.isEmpty() || recorded.equals(digest(renames));
    }

    static String digest(KeyRenames renames) {
        return Digest.of(renames.names());
    }

    /** What the ConfigMap holds. */
    Map<String, String> config() {
        return spec().reachableAt().map(endpoint -> endpoint.config()).orElse(Map.of());
    }

    /** Whether the Secret still holds what was handed out; what others added to it does not matter. */
    boolean isHeldBy(Child.Ours<?> secret) {
        Map<String, String> ours = new TreeMap<>(secret.content());
        ours.keySet().retainAll(secretKeys());
        return spec().recordedSecretDigest().orElse("").equals(Digest.of(ours));
    }

    Set<String> secretKeys() {
        return Arrays.stream(state(SECRET_KEYS).split(",", -1))
                .filter(key -> !key.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    String keyId() {
        return state(KEY_ID);
    }

    /** The key from before the last rotation, while it is valid; empty if there is none. */
    String previousKey() {
        return state(PREVIOUS_KEY);
    }

    Instant previousKeyUntil() {
        try {
            return Instant.parse(state(PREVIOUS_KEY_UNTIL));
        } catch (DateTimeParseException damaged) {
            return Instant.EPOCH;
        }
    }

    String options() {
        return state(OPTIONS);
    }

    String rotatedFor() {
        return state(ROTATED_FOR);
    }

    private String state(String key) {
        return spec().state().getOrDefault(key, "");
    }

    private ObjectBucketSpec spec() {
        return bucket.getSpec();
    }
}
