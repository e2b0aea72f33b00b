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
public final class GracePeriod {

    private static final Duration LENGTH = Duration.ofSeconds(3);

    private GracePeriod() {}

    /** Decides that way once the object is old enough, and waits until then. */
    public static Decision<ControllerStep> afterCreation(
            HasMetadata object, Instant now, Supplier<Decision<ControllerStep>> decision) {
        return after(object.getMetadata().getCreationTimestamp(), now, decision);
    }

    /** Decides that way once the deletion was requested long enough ago, and waits until then. */
    public static Decision<ControllerStep> afterDeletion(
            HasMetadata object, Instant now, Supplier<Decision<ControllerStep>> decision) {
        return after(object.getMetadata().getDeletionTimestamp(), now, decision);
    }

    private static Decision<ControllerStep> after(
            String time, Instant now, Supplier<Decision<ControllerStep>> decision) {
        Duration left = Duration.between(now, Instant.parse(time).plus(LENGTH));
        return left.isPositive() ? Decision.finish(Result.requeueAfter(left)) : decision.get();
    }
}
