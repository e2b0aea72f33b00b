package io.bucketwright.volumes.podclaims;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;

/** What can be done about a volume that wants a claim. */
sealed interface Step {

    VolumeKey key();

    Pod pod();

    /** Say what is wrong. */
    record Tell(VolumeKey key, Pod pod, Trouble trouble) implements Step {}

    /**
     * Ask whether the pod's service account may make claims itself.
     *
     * @param inputs what the answer is good for
     */
    record Authorize(VolumeKey key, Pod pod, String inputs) implements Step {}

    /**
     * Make the claim.
     *
     * @param inputs what a refusal would depend on
     */
    record Create(VolumeKey key, Pod pod, PersistentVolumeClaim claim, String inputs) implements Step {}
}
