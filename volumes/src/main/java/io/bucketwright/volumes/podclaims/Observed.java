package io.bucketwright.volumes.podclaims;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a volume of a pod.
 *
 * @param pod null unless it is Pending
 * @param claim what has the name that the volume mentions, null if nothing has
 * @param now on the monotonic clock
 */
record Observed(
        VolumeKey key, @Nullable Pod pod, @Nullable PersistentVolumeClaim claim, Recollection memory, long now) {}
