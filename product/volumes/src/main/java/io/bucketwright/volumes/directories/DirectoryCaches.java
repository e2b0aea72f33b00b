package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The caches that all controllers of the provisioner share, and the claims that a class or a volume affects. */
final class DirectoryCaches {

    final ObjectCache<PersistentVolumeClaim> claims;
    final ObjectCache<PersistentVolume> volumes;
    final ObjectCache<StorageClass> classes;
    private final DirectorySettings settings;
    /** What is read of a class is immutable, so each is parsed once. */
    private final Map<String, ResolvedClass> classesByUid = new ConcurrentHashMap<>();

    private final ObjectCache<Namespace> namespaces;
    private final Index<PersistentVolume> volumesByClaim;
    private final Index<PersistentVolumeClaim> claimsByClass;
    private final Index<PersistentVolumeClaim> claimsByVolumeName;

    DirectoryCaches(ObjectCaches caches, DirectorySettings settings) {
        this.settings = settings;
        Scope served = settings.namespace().isEmpty() ? Scope.everything() : Scope.namespace(settings.namespace());
        claims = caches.of(PersistentVolumeClaim.class, served);
        volumes = caches.unlimited(PersistentVolume.class, Scope.everything());
        classes = caches.unlimited(StorageClass.class, Scope.everything());
        classes.listen(last -> classesByUid.remove(last.getMetadata().getUid()));
        namespaces = caches.of(Namespace.class, Scope.everything(), MetadataTrim.NAMESPACE);
        volumesByClaim = volumes.indexBy(DirectoryCaches::claimUids);
        claimsByClass = claims.indexBy(claim -> {
            @Nullable String name = claim.getSpec().getStorageClassName();
            return name == null || name.isEmpty() ? List.of() : List.of(name);
        });
        claimsByVolumeName = claims.indexBy(claim -> DirectoryVolumes.names(ObjectKey.of(claim)));
    }

    /** The uid of namespace kube-system, which identifies the cluster. */
    String clusterId() {
        return namespaceUid("kube-system")
                .orElseThrow(() -> new IllegalStateException("Namespace kube-system is not visible, and its uid is the"
                        + " cluster's id: allow the service account to list and watch namespaces"));
    }

    Optional<String> namespaceUid(String name) {
        return namespaces.get("", name).map(namespace -> namespace.getMetadata().getUid());
    }

    /** The class of a claim. */
    ResolvedClass classOf(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getSpec().getStorageClassName())
                .flatMap(name -> classes.get("", name))
                .map(found -> classesByUid.computeIfAbsent(
                        found.getMetadata().getUid(), _ -> ResolvedClass.of(found, settings)))
                .orElseGet(ResolvedClass.NotServed::new);
    }

    /** The claim with this uid. */
    Optional<PersistentVolumeClaim> claim(ObjectKey key) {
        return claims.get(key.namespace(), key.name()).filter(key::names);
    }

    /** The volumes that are bound to a claim, or whose directory was created for it. */
    List<PersistentVolume> volumesOf(String claimUid) {
        return volumesByClaim.get(claimUid);
    }

    Collection<ObjectKey> claimsOf(StorageClass storageClass) {
        return keys(claimsByClass.get(storageClass.getMetadata().getName()));
    }

    /** The claims whose directory would have this name. */
    Collection<ObjectKey> claimsNamed(DirectoryName name) {
        return keys(claimsByVolumeName.get(name.text()));
    }

    /** The claim that a volume is bound to, and the claim whose volume would have the same name. */
    Collection<ObjectKey> claimsOf(PersistentVolume volume) {
        List<ObjectKey> keys =
                new ArrayList<>(keys(claimsByVolumeName.get(volume.getMetadata().getName())));
        boundClaim(volume).ifPresent(keys::add);
        return keys;
    }

    /** The claim that a volume is or was bound to. */
    static Optional<ObjectKey> boundClaim(PersistentVolume volume) {
        return Optional.ofNullable(volume.getSpec().getClaimRef())
                .filter(claim -> claim.getUid() != null && claim.getNamespace() != null && claim.getName() != null)
                .map(claim -> new ObjectKey(claim.getNamespace(), claim.getName(), claim.getUid()));
    }

    /** A volume that was released and is Available has no claimRef; the annotation still links it to its directory. */
    private static List<String> claimUids(PersistentVolume volume) {
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        return Stream.concat(
                        Stream.ofNullable(claim).flatMap(reference -> Stream.ofNullable(reference.getUid())),
                        Stream.of(Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID)))
                .filter(uid -> !uid.isEmpty())
                .distinct()
                .toList();
    }

    /** The key of the claim that a marker names. */
    static ObjectKey key(ClaimIdentity claim) {
        return new ObjectKey(claim.namespace(), claim.name(), claim.uid());
    }

    private static Collection<ObjectKey> keys(Collection<PersistentVolumeClaim> claims) {
        return claims.stream().map(ObjectKey::of).toList();
    }
}
