package io.bucketwright.cosi.requests;

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
    /**
     * Before an object that another one names is reported as missing. Longer than a watch lags behind, and than a sidecar takes
     * between its writes: then nobody else makes the write that the controller could make instead.
     */
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

    public Duration length() {
        return length;
    }

    /** Decides that way once the object is old enough, and waits until then. */
    public <S> Decision<S> afterCreation(HasMetadata object, Instant now, Supplier<Decision<S>> decision) {
        return after(Duration.between(Instant.parse(object.getMetadata().getCreationTimestamp()), now), decision);
    }

    /** Decides that way once the deletion was requested long enough ago, and waits until then. */
    public <S> Decision<S> afterDeletion(HasMetadata object, Instant now, Supplier<Decision<S>> decision) {
        return after(Duration.between(Instant.parse(object.getMetadata().getDeletionTimestamp()), now), decision);
    }

    /** Decides that way once so much time has passed, and waits until then. */
    public <S> Decision<S> after(Duration passed, Supplier<Decision<S>> decision) {
        Duration left = length.minus(passed);
        return left.isPositive() ? Decision.finish(Result.requeueAfter(left, length)) : decision.get();
    }
}
