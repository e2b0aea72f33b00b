package io.bucketwright.runtime.controller;

import java.time.Duration;
import java.time.Instant;

/**
 * An operation that failed. The controller keeps it so that the watch event of its own status update does not repeat the
 * operation at once.
 *
 * @param operation what failed: a constant of an enum of the controller, or a text
 * @param inputs everything the operation depended on, as one text: other inputs are a reason to try at once
 * @param attempts failures of this operation in a row
 * @param notBefore when to try again with the same inputs
 * @param heldUntil until when the other system requests not to be called at all, whatever the operation and its inputs
 */
public record FailedAttempt(
        Object operation, String inputs, Problem problem, int attempts, Instant notBefore, Instant heldUntil) {

    /** A failure after which the other system does not request to wait. */
    public FailedAttempt(Object operation, String inputs, Problem problem, int attempts, Instant notBefore) {
        this(operation, inputs, problem, attempts, notBefore, Instant.EPOCH);
    }

    /** Whether the operation must not be tried with these inputs yet. */
    public boolean blocks(Object nextOperation, String nextInputs, Instant now) {
        return operation.equals(nextOperation)
                && inputs.equals(nextInputs)
                && (!problem.isRetried() || now.isBefore(notBefore));
    }

    /** Whether the other system must not be called yet, for any operation. */
    public boolean holds(Instant now) {
        return now.isBefore(heldUntil);
    }

    /** How reconciling ends while this attempt blocks the next one. */
    public Result result(Instant now) {
        if (!problem.isRetried() && !holds(now)) {
            return problem.result();
        }
        Duration delay = Duration.between(now, notBefore.isAfter(heldUntil) ? notBefore : heldUntil);
        return Result.requeueAfter(delay.isNegative() ? Duration.ZERO : delay);
    }
}
