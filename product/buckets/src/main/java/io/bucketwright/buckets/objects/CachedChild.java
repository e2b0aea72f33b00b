package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.runtime.json.SharedTexts;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.bucketwright.store.connection.ConnectionData;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets and ConfigMaps of claims as the cache keeps them. They are selected by label, and tenants can set that label
 * on objects of their own, so of each object only a bounded part is kept: the metadata that the controller reads, and a
 * digest of each value. No value of a Secret is in the cache.
 *
 * @param texts keys and digests: many values are the same in all ConfigMaps
 */
public record CachedChild(MetadataTrim metadata, SharedTexts texts) {

    /** Names the keys that the controller wrote, so that the cache keeps them if others add very many. */
    static final String PUBLISHED_KEYS = ObjectBucketNames.PREFIX + "published-keys";

    /** Longer than all that the controller writes: see the limits of {@link ConnectionData}. */
    private static final int LONGEST_ANNOTATION = 8 * 1024;
    /** About ten digests are the same in all ConfigMaps of a class. */
    private static final int SHARED_TEXTS = 256;

    public static CachedChild of(ProvisionerSettings settings) {
        return new CachedChild(
                new MetadataTrim(
                        HasMetadata.getKind(ObjectBucketClaim.class),
                        settings.allLabels().keySet(),
                        Set.of(IssuedCredentials.ANNOTATION, PUBLISHED_KEYS),
                        LONGEST_ANNOTATION),
                new SharedTexts(SHARED_TEXTS));
    }

    /** The annotation for a ConfigMap with these keys. */
    public static Map<String, String> annotations(Set<String> keys) {
        return Map.of(PUBLISHED_KEYS, String.join(",", new TreeSet<>(keys)));
    }

    /** What the cache keeps of the Secret. */
    public Secret trimmed(Secret secret) {
        Secret trimmed = new SecretBuilder().withMetadata(kept(secret)).build();
        Set<String> own =
                IssuedCredentials.in(trimmed).map(IssuedCredentials::keys).orElse(Set.of());
        // The API server never returns this field, so nobody else can set it.
        trimmed.setStringData(digests(secret.getData(), own));
        trimmed.setData(Map.of());
        trimmed.setAdditionalProperties(Map.of());
        return trimmed;
    }

    /** What the cache keeps of the ConfigMap. */
    public ConfigMap trimmed(ConfigMap configMap) {
        ConfigMap trimmed = new ConfigMapBuilder().withMetadata(kept(configMap)).build();
        Set<String> own = Stream.of(Metadata.annotation(trimmed, PUBLISHED_KEYS).split(",", -1))
                .collect(Collectors.toSet());
        // Not read after this.
        trimmed.getMetadata().getAnnotations().remove(PUBLISHED_KEYS);
        trimmed.setData(digests(configMap.getData(), own));
        trimmed.setBinaryData(Map.of());
        trimmed.setAdditionalProperties(Map.of());
        return trimmed;
    }

    private ObjectMeta kept(HasMetadata object) {
        return metadata.withFinalizers(object, ObjectBucketNames.FINALIZER);
    }

    /** A digest of each value: of the controller's own keys first, and of those of others as far as the limits allow. */
    private Map<String, String> digests(@Nullable Map<String, String> data, Set<String> own) {
        Map<String, String> kept = new HashMap<>();
        int length = 0;
        for (Map.Entry<String, String> entry : ordered(data == null ? Map.of() : data, own)) {
            length += entry.getKey().length();
            if (kept.size() == ConnectionData.MOST_KEYS || length > ConnectionData.LONGEST_KEYS) {
                break;
            }
            @Nullable String value = entry.getValue();
            kept.put(texts.of(entry.getKey()), texts.of(ContentDigest.of(entry.getKey(), value == null ? "" : value)));
        }
        return Map.copyOf(kept);
    }

    private static Iterable<Map.Entry<String, String>> ordered(Map<String, String> data, Set<String> own) {
        boolean fits = data.size() <= ConnectionData.MOST_KEYS;
        if (fits && data.keySet().stream().mapToInt(String::length).sum() <= ConnectionData.LONGEST_KEYS) {
            return data.entrySet();
        }
        TreeMap<String, String> sorted = new TreeMap<>(data);
        return Stream.concat(
                        sorted.entrySet().stream().filter(entry -> own.contains(entry.getKey())),
                        sorted.entrySet().stream().filter(entry -> !own.contains(entry.getKey())))
                .toList();
    }
}
