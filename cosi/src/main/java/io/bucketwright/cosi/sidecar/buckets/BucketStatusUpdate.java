package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.ProvisionerReason;

import io.bucketwright.cosi.sidecar.driver.Trouble;


import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What a Bucket's status should say.
 *
 * @param ready whether the bucket can be used
 * @param event the reason of the event that goes with it, empty for none
 * @param passing whether the message may differ from try to try, so that it is not worth a write of its own
 */
public record BucketStatusUpdate(BucketPhase phase, boolean ready, ProvisionerReason reason, String message, String event, boolean passing) {

    public static final String READY = "Ready";

    public static BucketStatusUpdate well(BucketPhase phase, ProvisionerReason reason, String message) {
        return new BucketStatusUpdate(phase, true, reason, message, "", false);
    }

    public static BucketStatusUpdate trouble(BucketPhase phase, Trouble trouble) {
        return new BucketStatusUpdate(
                phase, false, trouble.reason(), trouble.message(), trouble.eventReason(), !trouble.untilChange());
    }

    /** On its way out. */
    public static BucketStatusUpdate leaving(BucketPhase phase, ProvisionerReason reason, String message, String event) {
        return new BucketStatusUpdate(phase, false, reason, message, event, false);
    }

    /** Says it unless that is said already, then rests. */
    public Decision<SidecarBucketStep> thenRest(ObjectKey key, Bucket bucket, Result rest) {
        return isShownBy(bucket) ? Decision.finish(rest) : Decision.act(new SidecarBucketStep.Say(key, bucket, this));
    }

    public boolean isShownBy(Bucket bucket) {
        return bucket.phase() == phase
                && shown(bucket)
                        .filter(condition -> condition.getStatus().equals(status()))
                        .filter(condition -> condition.getReason().equals(reason.text()))
                        .filter(condition -> passing || condition.getMessage().equals(message))
                        .isPresent();
    }

    public Condition condition(Bucket bucket, Instant now) {
        String since = shown(bucket)
                .filter(old -> old.getStatus().equals(status()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(READY)
                .withStatus(status())
                .withReason(reason.text())
                .withMessage(message)
                .withLastTransitionTime(since)
                .withObservedGeneration(bucket.getMetadata().getGeneration())
                .build();
    }

    private String status() {
        return ready ? "True" : "False";
    }

    public static Optional<Condition> shown(Bucket bucket) {
        return bucket.status().condition(READY);
    }
}
