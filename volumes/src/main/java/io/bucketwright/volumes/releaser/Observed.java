package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a volume.
 *
 * @param volume null if it is gone
 * @param storageClass null if it has none or it is gone
 * @param ofOurClaim whether the claim it is bound to, or was, is one that our provisioner made for a pod
 * @param scrubClaim the claim through which it is emptied
 * @param scrubPod the pod that empties it
 * @param told what was last told about it
 */
record Observed(
        ObjectKey key,
        @Nullable PersistentVolume volume,
        @Nullable StorageClass storageClass,
        boolean ofOurClaim,
        @Nullable PersistentVolumeClaim scrubClaim,
        @Nullable Pod scrubPod,
        @Nullable Trouble told) {}
