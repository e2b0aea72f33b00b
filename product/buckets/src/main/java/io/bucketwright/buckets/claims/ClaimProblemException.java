package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.controller.Problem;

/** The controller does not complete a call to the store, for a reason that no store reports. */
final class ClaimProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ClaimProblemException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
