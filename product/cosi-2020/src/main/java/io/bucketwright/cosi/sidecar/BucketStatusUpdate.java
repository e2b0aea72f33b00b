package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;

/**
 * The status that a Bucket should have.
 *
 * @param event the reason of the event to send with it; empty for none
 * @param called whether CreateBucket was called, so that the bucket may exist in the store whatever the answer was
 */
record BucketStatusUpdate(BucketPhase phase, ReadyCondition condition, String event, boolean called) {

    /** Type of a second condition, which stays: CreateBucket was called. */
    private static final String ATTEMPTED = "Attempted";

    static BucketStatusUpdate ready(BucketPhase phase, ProvisionerReason reason, String message) {
        return new BucketStatusUpdate(phase, ReadyCondition.ready(reason.text(), message), "", false);
    }

    static BucketStatusUpdate notReady(BucketPhase phase, ProvisionerReason reason, String message, String event) {
        return new BucketStatusUpdate(phase, ReadyCondition.notReady(reason.text(), message), event, false);
    }

    static BucketStatusUpdate of(BucketPhase phase, Problem problem, String event) {
        return new BucketStatusUpdate(phase, ReadyCondition.of(problem), event, false);
    }

    BucketStatusUpdate afterCall() {
        return new BucketStatusUpdate(phase, condition, event, true);
    }

    /** Whether the status of the Bucket records that CreateBucket was called. */
    static boolean isAfterCall(Bucket bucket) {
        return bucket.status().condition(ATTEMPTED).isPresent();
    }

    List<Condition> conditions(Bucket bucket, Instant now) {
        List<Condition> conditions = condition.replaceIn(bucket.status().conditions(), bucket, now);
        if (called && !isAfterCall(bucket)) {
            conditions.add(new ConditionBuilder(conditions.getLast())
                    .withType(ATTEMPTED)
                    .withStatus("True")
                    .withReason("CreateBucket")
                    .withMessage("The driver was called, so the bucket may exist in the store.")
                    .build());
        }
        return conditions;
    }

    /** Writes the status unless the Bucket has it already, then finishes with the result. */
    Decision<SidecarBucketStep> thenFinish(Bucket bucket, Result result) {
        boolean reported = bucket.phase() == phase
                && (!called || isAfterCall(bucket))
                && condition.isReportedIn(bucket.status().conditions(), bucket);
        return reported ? Decision.finish(result) : Decision.act(new SidecarBucketStep.UpdateStatus(bucket, this));
    }
}
