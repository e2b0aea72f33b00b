package io.bucketwright.buckets.objects;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The Secret or the ConfigMap of a claim as the cache shows it. Contains no values, only digests of them. */
public sealed interface ChildObject<T extends HasMetadata> {

    record Absent<T extends HasMetadata>() implements ChildObject<T> {}

    /** An object of that name which the claim does not own. */
    record NotOwned<T extends HasMetadata>() implements ChildObject<T> {}

    /**
     * Owned by the claim.
     *
     * @param bare the object without its content
     * @param content the digest of each value, by key; if there are very many keys, some that others added are missing
     */
    record Owned<T extends HasMetadata>(T bare, Map<String, String> content) implements ChildObject<T> {
        public Owned {
            content = Map.copyOf(content);
        }

        public boolean isBeingDeleted() {
            return Metadata.isBeingDeleted(bare);
        }

        /** The digest of what it has under these keys. */
        public String digest(Set<String> keys) {
            Map<String, String> part = new TreeMap<>(content);
            part.keySet().retainAll(keys);
            return ContentDigest.of(part);
        }

        /** Whether it has the expected content, and none of the other former keys. */
        public boolean contains(Map<String, String> expected, Set<String> formerKeys) {
            return content.entrySet().containsAll(expected.entrySet())
                    && formerKeys.stream().noneMatch(key -> content.containsKey(key) && !expected.containsKey(key));
        }
    }

    /** The claim's object of that name. */
    static <T extends HasMetadata> ChildObject<T> of(
            ObjectCache<T> cache, ObjectKey claim, String name, Function<T, Owned<T>> owned) {
        return cache.get(claim.namespace(), name)
                .<ChildObject<T>>map(
                        found -> Metadata.isOwnedBy(found, claim.uid()) ? owned.apply(found) : new NotOwned<>())
                .orElseGet(Absent::new);
    }

    /** Of a ConfigMap that {@link CachedChild} has trimmed. */
    static Owned<ConfigMap> ofConfigMap(ConfigMap cached) {
        ConfigMap bare = new ConfigMap();
        bare.setMetadata(cached.getMetadata());
        return new Owned<>(bare, orEmpty(cached.getData()));
    }

    /** Of a Secret that {@link CachedChild} has trimmed. */
    static Owned<Secret> ofSecret(Secret cached) {
        return new Owned<>(bare(cached), orEmpty(cached.getStringData()));
    }

    /** Of a Secret as the API server returns it. */
    static Owned<Secret> ofWholeSecret(Secret secret) {
        return new Owned<>(bare(secret), ContentDigest.ofEach(orEmpty(secret.getData())));
    }

    private static Secret bare(Secret secret) {
        Secret bare = new Secret();
        bare.setMetadata(secret.getMetadata());
        return bare;
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
