package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.IssuedAccess;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2GrantView.Secrets;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;

/** The sidecar's rules for a BucketAccess of v1alpha2. Pure. */
final class V1alpha2GrantDecision {

    private final V1alpha2GrantView view;
    private final V1alpha2Access access;
    private final String inputs;

    private V1alpha2GrantDecision(V1alpha2GrantView view) {
        this.view = view;
        this.access = view.access();
        this.inputs = view.preconditions().inputs(view.access());
    }

    static Decision<V1alpha2GrantStep> decide(V1alpha2GrantView view) {
        V1alpha2GrantDecision decision = new V1alpha2GrantDecision(view);
        return Metadata.isBeingDeleted(view.access()) ? decision.revoke() : decision.grant();
    }

    private Decision<V1alpha2GrantStep> grant() {
        if (access.status().readyToUse()) {
            return Decision.done();
        }
        if (view.progress().secrets() == Secrets.UNKNOWN || view.progress().secrets() == Secrets.MISSING) {
            return unlessBlocked(new V1alpha2GrantStep.ReserveSecrets(access, inputs));
        }
        Optional<IssuedAccess> issued = view.progress().issued();
        if (issued.isEmpty()) {
            return call(DriverMethod.GRANT_ACCESS, new V1alpha2GrantStep.Grant(access, inputs));
        }
        if (!access.status().accountID().equals(issued.get().accountId())) {
            return Decision.act(
                    new V1alpha2GrantStep.WriteAccount(access, issued.get().accountId()));
        }
        return view.progress().secrets() == Secrets.FILLED
                ? Decision.act(new V1alpha2GrantStep.WriteReady(access, true))
                : unlessBlocked(new V1alpha2GrantStep.FillSecrets(access, issued.get(), inputs));
    }

    private Decision<V1alpha2GrantStep> revoke() {
        boolean finished = Metadata.annotations(access).containsKey(V1alpha2Names.CLEANUP_FINISHED);
        if (finished || !Metadata.hasFinalizer(access, V1alpha2Names.FINALIZER)) {
            return Decision.done();
        }
        if (access.status().readyToUse()) {
            return Decision.act(new V1alpha2GrantStep.WriteReady(access, false));
        }
        if (view.progress().secrets() == Secrets.UNKNOWN) {
            return Decision.act(new V1alpha2GrantStep.FindSecrets(access));
        }
        boolean secrets = view.progress().secrets() != Secrets.MISSING;
        boolean refused = view.failure()
                .filter(attempt -> V1alpha2SidecarContext.isRefusal(attempt, DriverMethod.GRANT_ACCESS, inputs))
                .isPresent();
        if (access.status().accountID().isEmpty() && secrets && !refused) {
            // Secrets are reserved before the first grant, and the account is recorded after it: there may be an
            // account.
            return view.progress()
                    .issued()
                    .<Decision<V1alpha2GrantStep>>map(
                            issued -> Decision.act(new V1alpha2GrantStep.WriteAccount(access, issued.accountId())))
                    .orElseGet(() -> call(DriverMethod.GRANT_ACCESS, new V1alpha2GrantStep.Grant(access, inputs)));
        }
        if (secrets) {
            return Decision.act(new V1alpha2GrantStep.RemoveSecrets(access));
        }
        return access.status().accountID().isEmpty() || view.progress().revoked()
                ? Decision.act(new V1alpha2GrantStep.FinishCleanup(access))
                : call(DriverMethod.REVOKE_ACCESS, new V1alpha2GrantStep.Revoke(access, inputs));
    }

    private Decision<V1alpha2GrantStep> unlessBlocked(V1alpha2GrantStep step) {
        return blocked(DriverMethod.GRANT_ACCESS).orElseGet(() -> Decision.act(step));
    }

    private Decision<V1alpha2GrantStep> call(DriverMethod method, V1alpha2GrantStep step) {
        return blocked(method).orElseGet(() -> {
            if (view.preconditions().driver() instanceof DriverState.Connecting) {
                return Decision.finish(Result.pending());
            }
            return view.preconditions()
                    .driverProblem()
                    .map(Problem::message)
                    .map(message -> report(message, Result.pending()))
                    .orElseGet(() -> Decision.act(step));
        });
    }

    private Optional<Decision<V1alpha2GrantStep>> blocked(DriverMethod method) {
        Optional<FailedAttempt> failure =
                view.failure().filter(attempt -> attempt.operation().equals(method));
        return failure.flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs))
                .map(result -> report(
                        failure.map(attempt -> attempt.problem().message()).orElse(""), result));
    }

    private Decision<V1alpha2GrantStep> report(String message, Result result) {
        return StatusError.messageOf(access.status().error()).equals(message)
                ? Decision.finish(result)
                : Decision.act(new V1alpha2GrantStep.WriteError(access, message));
    }
}
