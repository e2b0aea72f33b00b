package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Objects that belong together are applied and deleted together but seen one by one: nobody is told that something is in
 * the way which is there, or gone, a moment later. Its arrival is an event and ends the wait at once.
 */
final class Patience {

    static final Duration GRACE = Duration.ofSeconds(3);

    private Patience() {}

    /** When to complain about a new object, if it is too early now. */
    static Optional<Result> with(HasMetadata object, Instant now) {
        return since(object.getMetadata().getCreationTimestamp(), now);
    }

    /** When to complain about an object that does not go, if it is too early now. */
    static Optional<Result> withLeaving(HasMetadata object, Instant now) {
        return since(object.getMetadata().getDeletionTimestamp(), now);
    }

    private static Optional<Result> since(String time, Instant now) {
        Duration left = Duration.between(now, Instant.parse(time).plus(GRACE));
        return left.isPositive() ? Optional.of(Result.requeueAfter(left)) : Optional.empty();
    }
}
