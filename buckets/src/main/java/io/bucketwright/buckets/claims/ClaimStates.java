package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.queue.Backoff;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The in-flight state of claims. */
final class ClaimStates {

    private static final Logger log = LoggerFactory.getLogger(ClaimStates.class);

    private final Map<ObjectKey, ClaimState> states = new ConcurrentHashMap<>();
    private final Map<ObjectKey, FailedAttempt> failures = new ConcurrentHashMap<>();
    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;

    ClaimStates(TimeSource time, Backoff backoff, RandomGenerator random) {
        this.time = time;
        this.backoff = backoff;
        this.random = random;
    }

    ClaimState get(ObjectKey key) {
        return states.getOrDefault(key, ClaimState.NONE);
    }

    void update(ObjectKey key, UnaryOperator<ClaimState> change) {
        states.compute(key, (_, old) -> change.apply(old == null ? ClaimState.NONE : old));
    }

    void forget(ObjectKey key) {
        states.remove(key);
        failures.remove(key);
    }

    Optional<FailedAttempt> failure(ObjectKey key) {
        return Optional.ofNullable(failures.get(key));
    }

    void recordFailure(ObjectKey key, Object operation, String inputs, Problem problem) {
        failures.compute(key, (_, last) -> {
            int attempts = last != null && last.operation().equals(operation) ? last.attempts() + 1 : 1;
            return new FailedAttempt(
                    operation, inputs, problem, attempts, time.now().plus(backoff.delay(attempts, random)));
        });
        log.warn("{} ({})", problem.message(), problem.reason());
    }

    void clearFailure(ObjectKey key) {
        failures.remove(key);
    }
}
