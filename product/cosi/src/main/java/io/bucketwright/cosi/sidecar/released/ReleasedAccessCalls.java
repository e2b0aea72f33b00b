package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
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
import io.bucketwright.runtime.controller.Step;
import java.util.Optional;
import java.util.function.Supplier;

/** When the driver is called for a BucketAccess, and how a failure is reported. Pure. */
record ReleasedAccessCalls(ReleasedAccessObservation observed, ReleasedBucketAccess access) {

    /** Names that are given up for an access: a driver that loses every answer must not fill the store with accounts. */
    private static final int MAX_LOST = 3;

    /**
     * Revokes an account.
     *
     * @param uncertain whether the account may not exist: then an error is the answer of some drivers, and after a few
     *     attempts the account is given up
     */
    Decision<Step> revoke(String bucketId, String account, RevokedAccount which, boolean uncertain) {
        Optional<FailedAttempt> failure = failure(DriverMethod.REVOKE_ACCESS)
                .filter(attempt -> uncertain
                        && attempt.attempts() >= ReleasedBucketDecision.ATTEMPTS
                        && ReleasedBucketDecision.mayMeanAbsent(attempt.problem()));
        if (failure.isPresent()) {
            return Decision.act(new ReleasedAccessStep.SkipRevoke(
                    access, account, which, failure.get().problem().message()));
        }
        return call(
                DriverMethod.REVOKE_ACCESS,
                () -> new ReleasedAccessStep.Revoke(
                        access,
                        observed.accessClass().orElseGet(ReleasedBucketAccessClass::new),
                        bucketId,
                        account,
                        which,
                        inputs()));
    }

    Decision<Step> call(DriverMethod method, Supplier<ReleasedAccessStep> step) {
        Optional<Result> blocked = blocked(method);
        if (blocked.isPresent()) {
            return reportFailure(method, method.eventReason(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .driverProblem()
                .map(problem -> report(method.eventReason(), problem, Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    Optional<Result> blocked(DriverMethod method) {
        return failure(method).flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs()));
    }

    /** What a call depends on. */
    String inputs() {
        return observed.preconditions().inputs(access);
    }

    Optional<FailedAttempt> failure(DriverMethod method) {
        return observed.failure().filter(attempt -> attempt.operation().equals(method));
    }

    Decision<Step> reportFailure(DriverMethod method, String event, Result result) {
        return failure(method)
                .map(attempt -> report(event, attempt.problem(), result))
                .orElseGet(() -> Decision.finish(result));
    }

    /** Reports a problem under the reason of an event, unless it was reported last, then finishes with the result. */
    Decision<Step> report(String event, Problem problem, Result result) {
        return report(event, problem.reason(), problem.message(), result);
    }

    Decision<Step> report(String event, String action, String message, Result result) {
        return Decision.act(new Step.Report(access, action, Problem.retryable(event, message), result));
    }

    /**
     * Whether an answer of the driver was lost, and it does not grant access by the same name again. Some drivers find the
     * account of that grant by an id only, which nobody knows.
     */
    boolean needsNextName(AccountRecord accounts) {
        return !observed.inFlight().recordedHere()
                && observed.inFlight().formerRevoked()
                && accounts.lost() < MAX_LOST
                && failure(DriverMethod.GRANT_ACCESS)
                        .filter(ReleasedAccessCalls::isRefusedAgain)
                        .isPresent();
    }

    /** An internal error may also be an outage, so that it counts only if it stays. */
    private static boolean isRefusedAgain(FailedAttempt attempt) {
        String reason = attempt.problem().reason();
        return reason.equals(ProvisionerReason.ALREADY_EXISTS.text())
                || (reason.equals(ProvisionerReason.INTERNAL_ERROR.text())
                        && attempt.attempts() >= ReleasedBucketDecision.ATTEMPTS);
    }
}
