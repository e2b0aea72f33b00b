package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketSpec;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What an ObjectBucket remembers beside its intent. Everything here can be asked of the store again. */
record BucketRecord(ObjectBucket bucket) {

    static final String KEY_ID = "bucketwright.io/key-id";
    static final String PREVIOUS_KEY = "bucketwright.io/previous-key";
    static final String PREVIOUS_KEY_UNTIL = "bucketwright.io/previous-key-until";
    static final String SECRET_KEYS = "bucketwright.io/secret-keys";
    static final String OPTIONS = "bucketwright.io/options";
    static final String ROTATED_FOR = "bucketwright.io/rotated-for";

    Optional<BucketIntent> intent() {
        return spec().recordedIntent();
    }

    /** Whether the store has answered, and the answer is written down. */
    boolean complete() {
        return spec().reachableAt().flatMap(endpoint -> endpoint.bucket()).isPresent()
                && spec().recordedSecretDigest().isPresent();
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
        return Set.copyOf(List.of(state(SECRET_KEYS).split(",", -1)));
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
