package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.status.ReadyCondition;

/**
 * The status that a Bucket should have.
 *
 * @param event the reason of the event to send with it; empty for none
 */
record BucketStatusUpdate(BucketPhase phase, ReadyCondition condition, String event) {

    static BucketStatusUpdate ready(BucketPhase phase, ProvisionerReason reason, String message) {
        return new BucketStatusUpdate(phase, ReadyCondition.ready(reason.text(), message), "");
    }

    static BucketStatusUpdate notReady(BucketPhase phase, ProvisionerReason reason, String message, String event) {
        return new BucketStatusUpdate(phase, ReadyCondition.notReady(reason.text(), message), event);
    }

    static BucketStatusUpdate of(BucketPhase phase, Problem problem, String event) {
        return new BucketStatusUpdate(phase, ReadyCondition.of(problem), event);
    }

    /** Writes the status unless the Bucket has it already, then finishes with the result. */
    Decision<SidecarBucketStep> thenFinish(Bucket bucket, Result result) {
        boolean reported = bucket.phase() == phase
                && condition.isReportedIn(bucket.status().conditions());
        return reported ? Decision.finish(result) : Decision.act(new SidecarBucketStep.UpdateStatus(bucket, this));
    }
}
