package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a volume.
 *
 * @param volume null if it no longer exists
 * @param storageClass null if the volume has no class or the class does not exist
 * @param managedClaim whether the PVC provisioner of this controller id created the claim of the volume for a pod
 * @param scrubClaim the claim of the scrub pod
 * @param scrubPod the pod that deletes the data
 * @param reported the last problem that was reported on the volume
 */
record ReleaseObservation(
        ObjectKey key,
        @Nullable PersistentVolume volume,
        @Nullable StorageClass storageClass,
        boolean managedClaim,
        @Nullable PersistentVolumeClaim scrubClaim,
        @Nullable Pod scrubPod,
        @Nullable Problem reported) {}
