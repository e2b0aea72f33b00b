package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;

/** What can be done for a volume that needs a claim. */
sealed interface PodClaimCall extends Step.Call {

    /**
     * Check whether the pod's service account may create claims.
     *
     * @param inputs what the answer is valid for
     */
    record Authorize(Pod pod, String inputs) implements PodClaimCall {}

    /**
     * Create the claim.
     *
     * @param inputs what a failure depends on
     */
    record CreateClaim(Pod pod, PersistentVolumeClaim claim, String inputs) implements PodClaimCall {}
}
