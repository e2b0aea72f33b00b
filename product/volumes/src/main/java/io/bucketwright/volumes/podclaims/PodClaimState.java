package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What the process knows about a volume while its pod is Pending. If it is lost, an event may be repeated.
 *
 * @param reported the problem of the last event
 * @param authorizedInputs the inputs for which the pod's service account has the permission; empty for none
 */
record PodClaimState(@Nullable Problem reported, String authorizedInputs) {

    static final PodClaimState INITIAL = new PodClaimState(null, "");

    PodClaimState withReported(Problem problem) {
        return new PodClaimState(problem, authorizedInputs);
    }

    PodClaimState withAuthorizedInputs(String inputs) {
        return new PodClaimState(reported, inputs);
    }
}
