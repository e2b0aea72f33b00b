package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The caches this controller reads, and which claims an object in one of them matters to. */
final class ClaimCaches {

    final ObjectCache<ObjectBucketClaim> claims;
    final ObjectCache<ObjectBucket> buckets;
    final ObjectCache<Secret> secrets;
    final ObjectCache<ConfigMap> configMaps;
    final ObjectCache<StorageClass> classes;
    private final Index<ObjectBucketClaim> claimsByClass;
    private final Index<ObjectBucket> bucketsByClaim;
    private final Index<ObjectBucket> bucketsByName;

    ClaimCaches(ObjectCaches caches, Settings settings) {
        Scope scope = Scope.namespace(settings.namespace());
        // Only what bears our label: other people's Secrets are none of our business, not even in memory.
        Scope ours =
                scope.labelled(ObjectBucketNames.PROVISIONER_LABEL, settings.provisioner().label());
        claims = caches.of(ObjectBucketClaim.class, scope);
        buckets = caches.of(ObjectBucket.class, Scope.everything());
        secrets = caches.of(Secret.class, ours);
        configMaps = caches.of(ConfigMap.class, ours);
        classes = caches.of(StorageClass.class, Scope.everything());
        claimsByClass =
                claims.indexBy(claim -> List.of(claim.getSpec().storageClass().orElse("")));
        bucketsByClaim = buckets.indexBy(bucket ->
                ClaimOfBucket.of(bucket).map(ObjectKey::uid).map(List::of).orElse(List.of()));
        bucketsByName = buckets.indexBy(bucket -> bucket.getSpec()
                .recordedIntent()
                .map(BucketIntent::bucketName)
                .map(List::of)
                .orElse(List.of()));
    }

    /** The ObjectBucket of a claim, under whatever name. */
    Optional<ObjectBucket> bucketOf(ObjectKey claim) {
        return bucketsByClaim.get(claim.uid()).stream()
                .min(Comparator.comparing(bucket -> bucket.getMetadata().getName()));
    }

    /** How many other claims have access to the same bucket. */
    long sharers(BucketIntent intent) {
        return bucketsByName.get(intent.bucketName()).stream()
                .filter(other -> other.getSpec()
                        .recordedIntent()
                        .filter(it -> it.provisioner().equals(intent.provisioner()))
                        .filter(it -> !it.claimUid().equals(intent.claimUid()))
                        .filter(it -> hasAccess(other, it))
                        .isPresent())
                .count();
    }

    /** Whoever merely asked for a bucket of that name has no part in it, and could hold up its owner's deletion for ever. */
    private static boolean hasAccess(ObjectBucket bucket, BucketIntent intent) {
        boolean existing =
                intent.bucketOrigin().filter(BucketOrigin.EXISTING::equals).isPresent();
        boolean ofClass = !intent.parameters()
                .getOrDefault(ClassParameters.BUCKET_NAME, "")
                .isBlank();
        return existing && (ofClass || new BucketRecord(bucket).complete());
    }

    /** Its own claim, and those that wait for it to be gone. */
    Collection<ObjectKey> keysOf(ObjectBucket bucket) {
        Set<ObjectKey> keys = new HashSet<>();
        ClaimOfBucket.of(bucket).ifPresent(keys::add);
        bucket.getSpec().recordedIntent().map(BucketIntent::bucketName).stream()
                .flatMap(name -> bucketsByName.get(name).stream())
                .flatMap(other -> ClaimOfBucket.of(other).stream())
                .forEach(keys::add);
        return keys;
    }

    /** Its owner, and the claim of the same name, which may wait for it to be gone. */
    Collection<ObjectKey> keysOfChild(HasMetadata child) {
        Set<ObjectKey> keys = new HashSet<>();
        String namespace = child.getMetadata().getNamespace();
        Marks.owners(child).stream()
                .filter(owner -> "ObjectBucketClaim".equals(owner.getKind()))
                .map(owner -> new ObjectKey(namespace, owner.getName(), owner.getUid()))
                .forEach(keys::add);
        claims.get(namespace, child.getMetadata().getName()).map(ObjectKey::of).ifPresent(keys::add);
        return keys;
    }

    /** The claims that name it, and those that name none. */
    Collection<ObjectKey> keysOf(StorageClass storageClass) {
        Set<ObjectKey> keys = new HashSet<>();
        claimsByClass.get(storageClass.getMetadata().getName()).forEach(claim -> keys.add(ObjectKey.of(claim)));
        if (ClassLookup.isDefault(storageClass)) {
            claimsByClass.get("").forEach(claim -> keys.add(ObjectKey.of(claim)));
        }
        return keys;
    }
}
