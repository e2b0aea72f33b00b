package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.FailedAttempt;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about a volume of a pod.
 *
 * @param pod null unless it is Pending
 * @param claim the claim that the volume refers to, null if it does not exist
 * @param authorizedInputs the inputs for which the pod's service account has the permission; empty for none
 * @param failure the last attempt to create the claim, null if it did not fail
 */
record PodClaimObservation(
        VolumeKey key,
        @Nullable Pod pod,
        @Nullable PersistentVolumeClaim claim,
        String authorizedInputs,
        @Nullable FailedAttempt failure) {}
