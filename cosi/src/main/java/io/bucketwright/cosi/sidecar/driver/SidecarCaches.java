package io.bucketwright.cosi.sidecar.driver;


import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The caches that the sidecar reads: objects that bear its label, of which it believes those with its whole name. */
public final class SidecarCaches {

    public final ObjectCache<Bucket> buckets;
    public final ObjectCache<BucketAccess> accesses;
    public final ObjectCache<Secret> secrets;
    private final Provisioner provisioner;
    private final Index<BucketAccess> accessesByBucket;
    private final Index<BucketAccess> accessesByUid;

    public SidecarCaches(ObjectCaches caches, Provisioner provisioner) {
        this.provisioner = provisioner;
        Scope ours = Scope.everything().labelled(CosiNames.PROVISIONER_LABEL, provisioner.label());
        buckets = caches.of(Bucket.class, ours);
        accesses = caches.of(BucketAccess.class, ours);
        secrets = caches.of(
                Secret.class,
                Scope.namespace(provisioner.namespace()).labelled(CosiNames.PROVISIONER_LABEL, provisioner.label()));
        accessesByBucket = accesses.indexBy(access -> List.of(access.getSpec().bucketUid()));
        accessesByUid = accesses.indexBy(access -> List.of(access.getMetadata().getUid()));
    }

    /** This very life of the Bucket, if it is ours. */
    public Optional<Bucket> bucket(String name, String uid) {
        return buckets.get("", name)
                .filter(bucket -> bucket.getMetadata().getUid().equals(uid))
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()));
    }

    /** This very life of the BucketAccess, if it is ours. */
    public Optional<BucketAccess> access(ObjectKey key) {
        return accesses.get("", key.name()).filter(key::names).filter(this::isOurs);
    }

    /** The Secret of a BucketAccess, if it says of itself that it is. */
    public Optional<Secret> secretOf(BucketAccess access) {
        String uid = access.getMetadata().getUid();
        return secrets.get(provisioner.namespace(), CosiNames.accountOf(uid))
                .filter(secret ->
                        Marks.annotation(secret, CosiNames.BUCKET_ACCESS_UID).equals(uid));
    }

    /** How many accesses the driver may still know of for this Bucket. */
    public long accessesOf(Bucket bucket) {
        return accessesByBucket.get(bucket.getMetadata().getUid()).stream()
                .filter(this::isOurs)
                .filter(access -> Marks.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER))
                .count();
    }

    public Collection<ObjectKey> accessKeysOf(Bucket bucket) {
        return keys(accessesByBucket.get(bucket.getMetadata().getUid()));
    }

    public Collection<ObjectKey> bucketKeyOf(BucketAccess access) {
        String name = access.getSpec().bucketName();
        String uid = access.getSpec().bucketUid();
        return name.isEmpty() || uid.isEmpty() ? List.of() : List.of(new ObjectKey("", name, uid));
    }

    /** The BucketAccess that a Secret is of, or takes the place of. */
    public Collection<ObjectKey> accessKeysOf(Secret secret) {
        return keys(accessesByUid.get(secret.getMetadata().getName().replaceFirst("^ba-", "")));
    }

    private boolean isOurs(BucketAccess access) {
        return access.getSpec().provisioner().equals(provisioner.toString());
    }

    private static Set<ObjectKey> keys(List<BucketAccess> accesses) {
        Set<ObjectKey> keys = new HashSet<>();
        accesses.forEach(access -> keys.add(ObjectKey.of(access)));
        return keys;
    }
}
