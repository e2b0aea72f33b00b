package io.bucketwright.runtime.controller;

import java.time.Duration;

/**
 * An operation that failed, as it is observed now. The controller keeps it so that the watch event of its own status update
 * does not repeat the operation at once. It contains delays and no times: a clock that is set does not change them.
 *
 * @param operation what failed: a constant of an enum of the controller, or a text
 * @param inputs everything the operation depended on, as one text: other inputs are a reason to try at once
 * @param attempts failures of this operation in a row
 * @param retryIn how long not to try again with the same inputs; zero once the delay has passed
 * @param heldFor how long the other system requests not to be called at all, whatever the operation and its inputs
 */
public record FailedAttempt(
        Object operation, String inputs, Problem problem, int attempts, Duration retryIn, Duration heldFor) {

    /** A failure after which the other system does not request to wait. */
    public FailedAttempt(Object operation, String inputs, Problem problem, int attempts, Duration retryIn) {
        this(operation, inputs, problem, attempts, retryIn, Duration.ZERO);
    }

    /** Whether the operation must not be tried with these inputs yet. */
    public boolean blocks(Object nextOperation, String nextInputs) {
        return operation.equals(nextOperation)
                && inputs.equals(nextInputs)
                && (!problem.isRetried() || retryIn.isPositive());
    }

    /** Whether the other system must not be called yet, for any operation. */
    public boolean holds() {
        return heldFor.isPositive();
    }

    /** How long nothing is tried. */
    public Duration delay() {
        return longer(retryIn, heldFor);
    }

    /** How reconciling ends while this attempt blocks the next one. */
    public Result result() {
        return problem.isRetried() || holds() ? Result.requeueAfter(delay()) : problem.result();
    }

    /** The same failure, that much later. */
    FailedAttempt after(Duration elapsed) {
        return new FailedAttempt(
                operation,
                inputs,
                problem,
                attempts,
                longer(Duration.ZERO, retryIn.minus(elapsed)),
                longer(Duration.ZERO, heldFor.minus(elapsed)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
