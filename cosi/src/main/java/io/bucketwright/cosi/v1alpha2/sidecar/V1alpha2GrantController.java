package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2GrantView.GrantProgress;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2GrantView.Secrets;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Observes, decides and acts for BucketAccesses of v1alpha2. */
final class V1alpha2GrantController {

    private final V1alpha2SidecarContext context;
    private final ApiWriter writer;
    private final V1alpha2Secrets secrets;
    private final ConcurrencyLimits<ObjectKey> limits;
    private final InFlightState<ObjectKey, GrantProgress> inFlight;

    private V1alpha2GrantController(V1alpha2SidecarContext context) {
        this.context = context;
        this.writer = context.runtime().writer();
        this.secrets = new V1alpha2Secrets(context);
        this.limits = ConcurrencyLimits.forWorkers(context.workers());
        this.inFlight = context.runtime().inFlight(GrantProgress.none());
    }

    static void register(V1alpha2SidecarContext context) {
        V1alpha2GrantController loop = new V1alpha2GrantController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller("v1alpha2-grants", loop::observe, V1alpha2GrantController::decide, loop::act)
                .workers(context.workers())
                .inFlight(loop.inFlight)
                .limits(loop.limits)
                .watch(context.accesses(), Function.identity());
        context.connection()
                .onChange(() -> context.accesses().list().forEach(access -> controller.add(ObjectKey.of(access))));
    }

    /** Empty if there is no such BucketAccess, or it is not handed over to this driver. */
    private Optional<V1alpha2GrantView> observe(ObjectKey key) {
        return context.accesses()
                .get(key.namespace(), key.name())
                .filter(key::names)
                .filter(access -> access.status().driverName().equals(context.driverName())
                        && !Metadata.annotations(access).containsKey(V1alpha2Names.CONTROLLER_OVERRIDE))
                .map(access -> new V1alpha2GrantView(
                        access,
                        context.preconditions(),
                        inFlight.get(key),
                        inFlight.failure(key),
                        context.runtime().time().now()));
    }

    private static Decision<V1alpha2GrantStep> decide(Optional<V1alpha2GrantView> view) {
        return view.map(V1alpha2GrantDecision::decide).orElseGet(Decision::done);
    }

    private Outcome act(V1alpha2GrantStep step) {
        return switch (step) {
            case V1alpha2GrantStep.ReserveSecrets reserve -> reserve(reserve);
            case V1alpha2GrantStep.Grant grant ->
                limits.act(DriverMethod.GRANT_ACCESS, ObjectKey.of(grant.access()), () -> grant(grant));
            case V1alpha2GrantStep.WriteAccount(V1alpha2Access access, String accountId) -> {
                writer.mergeStatus(access, Map.of("accountID", accountId, "readyToUse", false));
                yield Outcome.progress();
            }
            case V1alpha2GrantStep.FillSecrets fill -> fill(fill);
            case V1alpha2GrantStep.WriteReady(V1alpha2Access access, boolean ready) -> {
                writeStatus(access, ready, "");
                inFlight.update(ObjectKey.of(access), _ -> GrantProgress.none());
                yield Outcome.progress();
            }
            case V1alpha2GrantStep.FindSecrets(V1alpha2Access access) -> {
                Secrets found = secrets.exist(access) ? Secrets.RESERVED : Secrets.MISSING;
                inFlight.update(ObjectKey.of(access), state -> state.withSecrets(found));
                yield Outcome.progress();
            }
            case V1alpha2GrantStep.RemoveSecrets(V1alpha2Access access) -> {
                secrets.remove(access);
                inFlight.update(ObjectKey.of(access), state -> state.withSecrets(Secrets.MISSING));
                yield Outcome.progress();
            }
            case V1alpha2GrantStep.Revoke revoke ->
                limits.act(DriverMethod.REVOKE_ACCESS, ObjectKey.of(revoke.access()), () -> revoke(revoke));
            case V1alpha2GrantStep.FinishCleanup(V1alpha2Access access) -> {
                writer.merge(
                        access,
                        Metadata.patch(access)
                                .withAnnotations(Map.of(V1alpha2Names.CLEANUP_FINISHED, ""))
                                .fields());
                inFlight.update(ObjectKey.of(access), _ -> GrantProgress.none());
                yield Outcome.progress();
            }
            case V1alpha2GrantStep.WriteError(V1alpha2Access access, String message) -> {
                writeStatus(access, access.status().readyToUse(), message);
                yield Outcome.progress();
            }
        };
    }

    private Outcome reserve(V1alpha2GrantStep.ReserveSecrets step) {
        settle(step.access(), step.inputs(), secrets.reserve(step.access()), Secrets.RESERVED);
        return Outcome.progress();
    }

    private Outcome fill(V1alpha2GrantStep.FillSecrets step) {
        settle(step.access(), step.inputs(), secrets.fill(step.access(), step.issued()), Secrets.FILLED);
        return Outcome.progress();
    }

    /** A Secret that is not there is reserved again. */
    private void settle(V1alpha2Access access, String inputs, Optional<String> foreign, Secrets next) {
        ObjectKey key = ObjectKey.of(access);
        if (foreign.isEmpty()) {
            succeeded(key, state -> state.withSecrets(next));
            return;
        }
        inFlight.update(key, state -> state.withSecrets(Secrets.UNKNOWN));
        inFlight.recordFailure(
                key,
                DriverMethod.GRANT_ACCESS,
                inputs,
                Problem.retryable(
                        ProvisionerReason.SECRET_IN_USE.text(),
                        "Secret " + foreign.get() + " exists and does not belong to this BucketAccess, so it is not"
                                + " overwritten. Delete it, or create a BucketAccess with another accessSecretName; the"
                                + " sidecar retries."));
    }

    private Outcome grant(V1alpha2GrantStep.Grant step) {
        V1alpha2Access access = step.access();
        ObjectKey key = ObjectKey.of(access);
        String account = V1alpha2Names.accountOf(access.getMetadata().getUid());
        return context.calls()
                .grant(order(access, account), () -> inFlight.remaining(key))
                .outcome(
                        issued -> succeeded(key, state -> state.withIssued(issued)),
                        problem -> inFlight.recordFailure(key, DriverMethod.GRANT_ACCESS, step.inputs(), problem));
    }

    private Outcome revoke(V1alpha2GrantStep.Revoke step) {
        V1alpha2Access access = step.access();
        ObjectKey key = ObjectKey.of(access);
        return context.calls()
                .revoke(order(access, access.status().accountID()), () -> inFlight.remaining(key))
                .removalOutcome(
                        () -> succeeded(key, GrantProgress::afterRevoke),
                        problem -> inFlight.recordFailure(key, DriverMethod.REVOKE_ACCESS, step.inputs(), problem));
    }

    /** The order with what the controller handed over: a class may have been deleted since. */
    private static V1alpha2Orders.Access order(V1alpha2Access access, String account) {
        Map<String, String> modes = new LinkedHashMap<>();
        access.status()
                .accessedBuckets()
                .forEach(bucket -> access.spec().bucketClaims().stream()
                        .filter(claim -> claim.bucketClaimName().equals(bucket.bucketClaimName()))
                        .forEach(claim -> modes.put(bucket.bucketID(), claim.accessMode())));
        return new V1alpha2Orders.Access(
                account,
                access.spec().protocol(),
                access.status().authenticationType(),
                access.spec().serviceAccountName(),
                access.status().parameters(),
                modes);
    }

    private void writeStatus(V1alpha2Access access, boolean ready, String error) {
        Map<String, @Nullable Object> fields =
                StatusError.fields(ready, error, context.runtime().time().now());
        writer.mergeStatus(access, fields);
    }

    private void succeeded(ObjectKey key, UnaryOperator<GrantProgress> change) {
        inFlight.update(key, change);
        inFlight.clearFailure(key);
    }
}
