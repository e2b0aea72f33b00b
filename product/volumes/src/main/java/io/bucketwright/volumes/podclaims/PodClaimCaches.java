package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
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

/** Pending pods, reduced to the fields that the controller reads, and the claims of their namespaces. */
final class PodClaimCaches {

    final ObjectCache<Pod> pods;
    final ObjectCache<PersistentVolumeClaim> claims;
    private final Index<Pod> byClaim;

    PodClaimCaches(ObjectCaches caches, String namespace) {
        Scope scope = namespace.isEmpty() ? Scope.everything() : Scope.namespace(namespace);
        pods = caches.of(Pod.class, scope.where("status.phase", "Pending"), PodClaimCaches::trimmed);
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
        if (VolumeRequest.problem(pod).isPresent()) {
            return List.of(VolumeKey.wholePod(key));
        }
        return VolumeRequest.volumes(pod).stream()
                .map(volume -> new VolumeKey(key, volume))
                .toList();
    }

    /** The volumes of all Pending pods that refer to this claim. */
    Collection<VolumeKey> keysOf(PersistentVolumeClaim claim) {
        String name =
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
        return byClaim.get(name).stream().flatMap(pod -> keysOf(pod).stream()).toList();
    }

    /** A cluster can have many Pending pods, and few of them have the annotations. */
    private static Pod trimmed(Pod pod) {
        Map<String, String> annotations = Metadata.annotations(pod).entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(PodClaimAnnotations.PREFIX))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        PodBuilder trimmed = new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .withResourceVersion(pod.getMetadata().getResourceVersion())
                        .withCreationTimestamp(
                                annotations.isEmpty() ? null : pod.getMetadata().getCreationTimestamp())
                        .withDeletionTimestamp(pod.getMetadata().getDeletionTimestamp())
                        .withAnnotations(annotations)
                        .build());
        if (annotations.isEmpty() || pod.getSpec() == null) {
            return trimmed.build();
        }
        return trimmed.withNewSpec()
                .withServiceAccountName(pod.getSpec().getServiceAccountName())
                .withVolumes(Stream.ofNullable(pod.getSpec().getVolumes())
                        .flatMap(Collection::stream)
                        .map(PodClaimCaches::trimmed)
                        .toList())
                .endSpec()
                .build();
    }

    private static Volume trimmed(Volume volume) {
        return new VolumeBuilder()
                .withName(volume.getName())
                .withPersistentVolumeClaim(volume.getPersistentVolumeClaim())
                .build();
    }
}
