package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether the driver may be called for an object now, and how it is reported if not.
 *
 * @param subject of events
 * @param inputs what the call depends on besides the object and the connection
 */
record DriverGate(
        HasMetadata subject, String inputs, DriverPreconditions preconditions, Optional<FailedAttempt> failure) {

    /** Makes the call with its inputs, unless something prevents it. */
    Decision<Step> call(DriverMethod method, Function<String, AccessStep> step) {
        Optional<Decision<Step>> blocked = blocked(method);
        if (blocked.isPresent()) {
            return blocked.get();
        }
        if (preconditions.driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return preconditions
                .driverProblem()
                .map(problem -> report(method.eventReason(), problem.reason(), problem.message(), Result.pending()))
                .orElseGet(() -> Decision.act(step.apply(allInputs())));
    }

    /** The report of a failed attempt that must not be repeated yet. */
    Optional<Decision<Step>> blocked(DriverMethod method) {
        return failure(method)
                .flatMap(attempt -> DriverPreconditions.blocked(attempt, method, allInputs())
                        .map(result -> report(
                                method.eventReason(),
                                attempt.problem().reason(),
                                attempt.problem().message(),
                                result)));
    }

    Optional<FailedAttempt> failure(DriverMethod method) {
        return failure.filter(attempt -> attempt.operation().equals(method));
    }

    /** Whether the last attempt failed with one of these. */
    boolean failed(DriverMethod method, ProvisionerReason... reasons) {
        return failure(method)
                .map(attempt -> attempt.problem().reason())
                .filter(reason ->
                        Arrays.stream(reasons).anyMatch(each -> each.text().equals(reason)))
                .isPresent();
    }

    Decision<Step> report(String event, String action, String message, Result result) {
        return Decision.act(new Step.Report(subject, action, Problem.retryable(event, message), result));
    }

    private String allInputs() {
        return inputs + " " + preconditions.inputs(subject);
    }
}
