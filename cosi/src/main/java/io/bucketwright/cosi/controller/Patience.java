package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Objects that belong together are applied together but seen one by one: nobody is told that something is missing that
 * comes a moment later. Its arrival is an event and ends the wait at once.
 */
final class Patience {

    static final Duration GRACE = Duration.ofSeconds(3);

    private Patience() {}

    /** When to complain, if it is too early now. */
    static Optional<Result> with(HasMetadata object, Instant now) {
        Duration left = Duration.between(
                now, Instant.parse(object.getMetadata().getCreationTimestamp()).plus(GRACE));
        return left.isPositive() ? Optional.of(Result.again(left)) : Optional.empty();
    }
}
