package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The caches of the sidecar. The watches select by label, which several provisioners can share, so each lookup also compares
 * the full {@code spec.provisioner}.
 */
final class SidecarCaches {

    public final ObjectCache<Bucket> buckets;
    public final ObjectCache<BucketAccess> accesses;
    public final ObjectCache<Secret> secrets;
    private final Provisioner provisioner;
    private final Index<BucketAccess> accessesByBucket;
    private final Index<BucketAccess> accessesByAccount;

    public SidecarCaches(ObjectCaches caches, Provisioner provisioner) {
        this.provisioner = provisioner;
        Scope provisioned = Scope.everything().labelled(CosiNames.PROVISIONER_LABEL, provisioner.label());
        buckets = caches.unlimited(Bucket.class, provisioned);
        accesses = caches.unlimited(BucketAccess.class, provisioned);
        secrets = caches.of(
                Secret.class,
                Scope.namespace(provisioner.namespace()).labelled(CosiNames.PROVISIONER_LABEL, provisioner.label()));
        accessesByBucket = accesses.indexBy(access -> List.of(access.getSpec().bucketName()));
        accessesByAccount = accesses.indexBy(access -> List.of(access.account()));
    }

    /** The Bucket with this uid, if it belongs to this provisioner. */
    public Optional<Bucket> bucket(String name, String uid) {
        return buckets.get("", name)
                .filter(bucket -> bucket.getMetadata().getUid().equals(uid))
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()));
    }

    /** The BucketAccess with the uid of the key, if it belongs to this provisioner. */
    public Optional<BucketAccess> access(ObjectKey key) {
        return accesses.get("", key.name()).filter(key::names).filter(this::isProvisionedHere);
    }

    /** The Secret with the credentials of a BucketAccess, if its annotation carries the uid of the BucketAccess. */
    public Optional<Secret> secretOf(BucketAccess access) {
        String uid = access.getMetadata().getUid();
        return secrets.get(provisioner.namespace(), access.account())
                .filter(secret ->
                        Metadata.annotation(secret, CosiNames.BUCKET_ACCESS_UID).equals(uid));
    }

    /**
     * The Bucket that a backup restored under this name, with another uid than before, if it belongs to this provisioner.
     */
    public Optional<Bucket> restoredBucket(BucketAccess access) {
        return buckets.get("", access.getSpec().bucketName())
                .filter(bucket ->
                        !bucket.getMetadata().getUid().equals(access.getSpec().bucketUid()))
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()));
    }

    /**
     * The BucketAccesses of this Bucket that may have an account in the driver. A restored BucketAccess names the Bucket's
     * former uid, so the name counts.
     */
    public Stream<BucketAccess> accessesOf(Bucket bucket) {
        return accessesByBucket.get(bucket.getMetadata().getName()).stream()
                .filter(this::isProvisionedHere)
                .filter(access -> Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER));
    }

    public Collection<ObjectKey> accessKeysOf(Bucket bucket) {
        return keys(accessesByBucket.get(bucket.getMetadata().getName()));
    }

    /** The key of the Secret of a BucketAccess. */
    public Collection<ObjectKey> secretKeyOf(BucketAccess access) {
        return secrets.get(provisioner.namespace(), access.account()).stream()
                .map(ObjectKey::of)
                .toList();
    }

    /** The Bucket of this provisioner for the bucket of this name in the store. */
    public Optional<Bucket> bucketOf(String name) {
        return buckets.list().stream()
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()))
                .filter(bucket -> bucket.getSpec().protocol().bucketName().equals(name))
                .findFirst();
    }

    public Collection<ObjectKey> bucketKeyOf(BucketAccess access) {
        return buckets.get("", access.getSpec().bucketName()).stream()
                .map(ObjectKey::of)
                .toList();
    }

    /** Whether an administrator created the Bucket without the connection data of its bucket. */
    static boolean isIncomplete(Bucket bucket) {
        return bucket.existedBefore() && !bucket.getSpec().protocol().hasAddress();
    }

    /** The keys of the Buckets without connection data whose accesses have this Secret. */
    public Collection<ObjectKey> incompleteBucketsOf(Secret secret) {
        return accessesByAccount.get(secret.getMetadata().getName()).stream()
                .flatMap(access -> buckets.get("", access.getSpec().bucketName()).stream())
                .filter(SidecarCaches::isIncomplete)
                .map(ObjectKey::of)
                .toList();
    }

    /** The key of the BucketAccess whose Secret has this name, whoever owns the Secret. */
    public Collection<ObjectKey> accessKeysOf(Secret secret) {
        return keys(accessesByAccount.get(secret.getMetadata().getName()));
    }

    private boolean isProvisionedHere(BucketAccess access) {
        return access.getSpec().provisioner().equals(provisioner.toString());
    }

    private static Set<ObjectKey> keys(List<BucketAccess> accesses) {
        Set<ObjectKey> keys = new HashSet<>();
        accesses.forEach(access -> keys.add(ObjectKey.of(access)));
        return keys;
    }
}
