package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a volume.
 *
 * @param volume null if it no longer exists
 * @param storageClass null if the volume has no class or the class does not exist
 * @param claim the claim with the namespace and name that the volume refers to; may be another one than the volume was bound to
 * @param namespace the namespace with the name that the volume refers to
 * @param managedClaim whether the PVC provisioner of this controller id created the claim of the volume for a pod
 * @param scrubClaim the claim of the scrub pod
 * @param scrubPod the pod that deletes the data
 */
record ReleaseObservation(
        ObjectKey key,
        @Nullable PersistentVolume volume,
        @Nullable StorageClass storageClass,
        @Nullable PersistentVolumeClaim claim,
        @Nullable Namespace namespace,
        boolean managedClaim,
        @Nullable PersistentVolumeClaim scrubClaim,
        @Nullable Pod scrubPod,
        Instant now) {

    /** The annotation of the volume, or of its class. */
    Optional<String> annotation(String annotation) {
        return Stream.of(volume == null ? "" : Metadata.annotation(volume, annotation), classAnnotation(annotation))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /** The annotation of the volume's class; empty if there is none. */
    String classAnnotation(String annotation) {
        return storageClass == null ? "" : Metadata.annotation(storageClass, annotation);
    }
}
