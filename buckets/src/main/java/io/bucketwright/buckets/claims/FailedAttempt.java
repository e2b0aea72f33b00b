package io.bucketwright.buckets.claims;

import java.time.Instant;

record FailedAttempt(Object operation, String inputs, Problem problem, int attempts, Instant notBefore) {

    boolean blocks(Object other, String newInputs, Instant now) {
        return operation.equals(other)
                && inputs.equals(newInputs)
                && (problem.recovery() == Problem.Recovery.CHANGE || now.isBefore(notBefore));
    }
}
