package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import java.util.Optional;
import java.util.function.Supplier;

/** When the driver is called for a BucketAccess, and how a failure is reported. Pure. */
final class ReleasedAccessCalls {

    private ReleasedAccessCalls() {}

    /**
     * Revokes an account.
     *
     * @param uncertain whether the account may not exist: then an error is the answer of some drivers, and after a few
     *     attempts the account is given up
     */
    static Decision<ReleasedAccessStep> revoke(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            String bucketId,
            String account,
            RevokedAccount which,
            boolean uncertain) {
        Optional<FailedAttempt> failure = failure(observed, DriverMethod.REVOKE_ACCESS)
                .filter(attempt -> uncertain
                        && attempt.attempts() >= ReleasedBucketDecision.ATTEMPTS
                        && ReleasedBucketDecision.mayMeanAbsent(attempt.problem()));
        if (failure.isPresent()) {
            return Decision.act(new ReleasedAccessStep.SkipRevoke(
                    access, account, which, failure.get().problem().message()));
        }
        return call(
                observed,
                access,
                DriverMethod.REVOKE_ACCESS,
                () -> new ReleasedAccessStep.Revoke(
                        access,
                        observed.accessClass().orElseGet(ReleasedBucketAccessClass::new),
                        bucketId,
                        account,
                        which,
                        observed.preconditions().inputs(access)));
    }

    static Decision<ReleasedAccessStep> call(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            DriverMethod method,
            Supplier<ReleasedAccessStep> step) {
        Optional<Result> blocked = blocked(observed, access, method);
        if (blocked.isPresent()) {
            return reportFailure(observed, access, method, blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .driverProblem()
                .map(problem -> report(observed, report(access, method, problem), Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    static Optional<Result> blocked(ObservedReleasedAccess observed, ReleasedBucketAccess access, DriverMethod method) {
        String inputs = observed.preconditions().inputs(access);
        return failure(observed, method).flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
    }

    static Optional<FailedAttempt> failure(ObservedReleasedAccess observed, DriverMethod method) {
        return observed.failure().filter(attempt -> attempt.operation().equals(method));
    }

    static Decision<ReleasedAccessStep> reportFailure(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, DriverMethod method, Result result) {
        return failure(observed, method)
                .map(attempt -> report(observed, report(access, method, attempt.problem()), result))
                .orElseGet(() -> Decision.finish(result));
    }

    private static ReleasedAccessStep.Report report(ReleasedBucketAccess access, DriverMethod method, Problem problem) {
        return new ReleasedAccessStep.Report(access, method.eventReason(), problem.reason(), problem.message());
    }

    /** Sends the event unless it was the last one, then finishes with the result. */
    static Decision<ReleasedAccessStep> report(
            ObservedReleasedAccess observed, ReleasedAccessStep.Report event, Result result) {
        return observed.inFlight().reported().equals(event.text()) ? Decision.finish(result) : Decision.act(event);
    }
}
