package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;

/** What can be done for a volume that needs a claim. */
sealed interface PodClaimStep {

    /** Report the problem in an event of the pod. */
    record ReportProblem(VolumeKey key, Pod pod, Problem problem) implements PodClaimStep {}

    /**
     * Check whether the pod's service account may create claims.
     *
     * @param inputs what the answer is valid for
     */
    record Authorize(VolumeKey key, Pod pod, String inputs) implements PodClaimStep {}

    /**
     * Create the claim.
     *
     * @param inputs what a failure depends on
     */
    record CreateClaim(VolumeKey key, Pod pod, PersistentVolumeClaim claim, String inputs) implements PodClaimStep {}
}
