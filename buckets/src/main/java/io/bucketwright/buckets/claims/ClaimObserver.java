package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads all that is known about a claim out of the caches and memory. */
final class ClaimObserver {

    private final ClaimCaches caches;
    private final ClassLookup classes;
    private final Recollections memory;
    private final TimeSource time;

    ClaimObserver(ClaimCaches caches, ClassLookup classes, Recollections memory, TimeSource time) {
        this.caches = caches;
        this.classes = classes;
        this.memory = memory;
        this.time = time;
    }

    Observed observe(ObjectKey key) {
        Optional<ObjectBucketClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        Optional<ObjectBucket> bucket = caches.bucketOf(key);
        String plain = BucketObjects.name(key.namespace(), key.name(), key.uid(), false);
        boolean taken = caches.buckets
                .get("", plain)
                .filter(other -> ClaimOfBucket.of(other)
                        .filter(owner -> owner.uid().equals(key.uid()))
                        .isEmpty())
                .isPresent();
        return new Observed(
                key,
                claim,
                claim.map(classes::of).orElse(new ClassView.Foreign()),
                bucket,
                taken,
                child(caches.secrets.get(key.namespace(), key.name()), key, Secrets::bare, Secrets::digests),
                child(
                        caches.configMaps.get(key.namespace(), key.name()),
                        key,
                        Function.identity(),
                        ClaimObserver::content),
                bucket.flatMap(recorded -> recorded.getSpec().recordedIntent())
                        .map(caches::sharers)
                        .orElse(0L),
                memory.of(key),
                time.now());
    }

    private static Map<String, String> content(ConfigMap map) {
        @Nullable Map<String, String> data = map.getData();
        return data == null ? Map.of() : data;
    }

    private static <T extends HasMetadata> Child<T> child(
            Optional<T> cached, ObjectKey key, Function<T, T> bare, Function<T, Map<String, String>> content) {
        if (cached.isEmpty()) {
            return new Child.Absent<>();
        }
        T object = cached.get();
        return Marks.isOwnedBy(object, key.uid())
                ? new Child.Ours<>(bare.apply(object), content.apply(object))
                : new Child.Foreign<>();
    }

    /** What may be known of a Secret outside of it. */
    private static final class Secrets {
        private Secrets() {}

        static Secret bare(Secret secret) {
            Secret bare = new Secret();
            bare.setMetadata(secret.getMetadata());
            return bare;
        }

        static Map<String, String> digests(Secret secret) {
            @Nullable Map<String, String> data = secret.getData();
            return Digest.ofEach(data == null ? Map.of() : data);
        }
    }
}
