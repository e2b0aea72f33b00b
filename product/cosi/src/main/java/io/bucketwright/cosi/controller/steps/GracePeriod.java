package io.bucketwright.cosi.controller.steps;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The time before a missing or remaining object is reported. Objects are applied and deleted together but observed one by
 * one, so what is missing now usually exists a moment later; its event ends the wait at once.
 */
public enum GracePeriod {
    /** Before an object that another one names is reported as missing. */
    OBSERVED(Duration.ofSeconds(3)),
    /** Before it is reported that no sidecar serves a Bucket. Longer than a call to a driver takes. */
    SLOW(Duration.ofSeconds(30)),
    /**
     * Before a Bucket that no sidecar has ever reported about counts as never created in the store. Longer than the
     * longest pause of the kubelet between two starts of a sidecar that crashes.
     */
    UNSERVED(Duration.ofMinutes(6));

    private final Duration length;

    GracePeriod(Duration length) {
        this.length = length;
    }

    /** Decides that way once the object is old enough, and waits until then. */
    public Decision<ControllerStep> afterCreation(
            HasMetadata object, Instant now, Supplier<Decision<ControllerStep>> decision) {
        return after(object.getMetadata().getCreationTimestamp(), now, decision);
    }

    /** Decides that way once the deletion was requested long enough ago, and waits until then. */
    public Decision<ControllerStep> afterDeletion(
            HasMetadata object, Instant now, Supplier<Decision<ControllerStep>> decision) {
        return after(object.getMetadata().getDeletionTimestamp(), now, decision);
    }

    private Decision<ControllerStep> after(String time, Instant now, Supplier<Decision<ControllerStep>> decision) {
        Duration left = Duration.between(now, Instant.parse(time).plus(length));
        return left.isPositive() ? Decision.finish(Result.requeueAfter(left, length)) : decision.get();
    }
}
