package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pending pods, of each only what we read, and the claims of their namespaces. */
final class ClaimCaches {

    final ObjectCache<Pod> pods;
    final ObjectCache<PersistentVolumeClaim> claims;
    private final Index<Pod> byClaim;

    ClaimCaches(ObjectCaches caches, String namespace) {
        Scope scope = namespace.isEmpty() ? Scope.everything() : Scope.namespace(namespace);
        pods = caches.of(Pod.class, scope.where("status.phase", "Pending"), ClaimCaches::bare);
        claims = caches.of(PersistentVolumeClaim.class, scope);
        byClaim = pods.indexBy(pod -> VolumeRequest.volumes(pod).isEmpty()
                ? List.of()
                : VolumeRequest.claimNames(pod).stream()
                        .map(name -> pod.getMetadata().getNamespace() + "/" + name)
                        .toList());
    }

    Optional<Pod> pod(ObjectKey key) {
        return pods.get(key.namespace(), key.name()).filter(key::names);
    }

    Collection<VolumeKey> keysOf(Pod pod) {
        ObjectKey key = ObjectKey.of(pod);
        return VolumeRequest.volumes(pod).stream()
                .map(volume -> new VolumeKey(key, volume))
                .toList();
    }

    /** The volumes of all Pending pods that mention this claim. */
    Collection<VolumeKey> keysOf(PersistentVolumeClaim claim) {
        String name =
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
        return byClaim.get(name).stream().flatMap(pod -> keysOf(pod).stream()).toList();
    }

    /** A cluster can have many Pending pods, and few of them mean us. */
    private static Pod bare(Pod pod) {
        Map<String, String> annotations =
                Optional.ofNullable(pod.getMetadata().getAnnotations()).orElse(Map.of()).entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(Marks.PREFIX))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        PodBuilder bare = new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .withResourceVersion(pod.getMetadata().getResourceVersion())
                        .withDeletionTimestamp(pod.getMetadata().getDeletionTimestamp())
                        .withAnnotations(annotations)
                        .build());
        if (annotations.isEmpty() || pod.getSpec() == null) {
            return bare.build();
        }
        return bare.withNewSpec()
                .withServiceAccountName(pod.getSpec().getServiceAccountName())
                .withVolumes(Stream.ofNullable(pod.getSpec().getVolumes())
                        .flatMap(Collection::stream)
                        .map(ClaimCaches::bare)
                        .toList())
                .endSpec()
                .build();
    }

    private static Volume bare(Volume volume) {
        return new VolumeBuilder()
                .withName(volume.getName())
                .withPersistentVolumeClaim(volume.getPersistentVolumeClaim())
                .build();
    }
}
