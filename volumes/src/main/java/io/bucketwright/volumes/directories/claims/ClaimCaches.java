package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.VolumeName;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The caches of the provisioner, and how objects lead to claims. */
public final class ClaimCaches {

    public final ObjectCache<PersistentVolumeClaim> claims;
    public final ObjectCache<PersistentVolume> volumes;
    public final ObjectCache<StorageClass> classes;
    public final ObjectCache<Namespace> namespaces;
    final Index<PersistentVolume> volumesByClaim;
    private final Index<PersistentVolumeClaim> claimsByClass;
    private final Index<PersistentVolumeClaim> claimsByName;

    public ClaimCaches(ObjectCaches caches, Settings settings) {
        Scope served = settings.namespace().isEmpty() ? Scope.everything() : Scope.namespace(settings.namespace());
        claims = caches.of(PersistentVolumeClaim.class, served);
        volumes = caches.of(PersistentVolume.class, Scope.everything());
        classes = caches.of(StorageClass.class, Scope.everything());
        namespaces = caches.of(Namespace.class, Scope.everything());
        volumesByClaim = volumes.indexBy(ClaimCaches::claimUids);
        claimsByClass = claims.indexBy(claim -> {
            @Nullable String name = claim.getSpec().getStorageClassName();
            return name == null || name.isEmpty() ? List.of() : List.of(name);
        });
        claimsByName = claims.indexBy(claim -> List.of(
                VolumeName.of(namespace(claim), name(claim), uid(claim), false).text()));
    }

    Collection<ObjectKey> keysOf(StorageClass storageClass) {
        return claimsByClass.get(storageClass.getMetadata().getName()).stream()
                .map(ObjectKey::of)
                .toList();
    }

    /** The claim that a volume is for, and the one that waits for its name. */
    Collection<ObjectKey> keysOf(PersistentVolume volume) {
        List<ObjectKey> keys = new ArrayList<>();
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        if (claim != null && claim.getUid() != null && claim.getNamespace() != null) {
            keys.add(new ObjectKey(claim.getNamespace(), claim.getName(), claim.getUid()));
        }
        claimsByName.get(volume.getMetadata().getName()).stream()
                .map(ObjectKey::of)
                .forEach(keys::add);
        return keys;
    }

    /**
     * The claim it is bound to, and the one it was made for: a volume that was released for everybody names no claim any
     * more, and its directory is not without a volume for that.
     */
    private static List<String> claimUids(PersistentVolume volume) {
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        return Stream.concat(
                        Stream.ofNullable(claim).flatMap(it -> Stream.ofNullable(it.getUid())),
                        Words.annotation(volume, Words.CLAIM_UID).stream())
                .distinct()
                .toList();
    }

    private static String namespace(PersistentVolumeClaim claim) {
        return claim.getMetadata().getNamespace();
    }

    private static String name(PersistentVolumeClaim claim) {
        return claim.getMetadata().getName();
    }

    private static String uid(PersistentVolumeClaim claim) {
        return claim.getMetadata().getUid();
    }
}
