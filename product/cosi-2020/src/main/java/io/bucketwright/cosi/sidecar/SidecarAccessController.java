package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Observes, decides and acts for BucketAccesses. */
final class SidecarAccessController {

    private final SidecarContext context;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;

    private final InFlightState<ObjectKey, SidecarAccessState> inFlight;
    private final AccessSecretActs secretActs;

    private SidecarAccessController(SidecarContext context) {
        this.context = context;
        this.inFlight = context.runtime().inFlight(SidecarAccessState.NONE);
        this.calls = ConcurrencyLimits.forWorkers(context.workers());
        this.secretActs = new AccessSecretActs(context, inFlight);
    }

    /** Registers the controller with the process. */
    public static void register(SidecarContext context) {
        SidecarCaches caches = context.caches();
        SidecarAccessController loop = new SidecarAccessController(context);
        context.runtime()
                .metrics()
                .credentials(loop::credentials, context.runtime().time()::now);
        Controller<ObjectKey> controller = context.runtime()
                .controller(
                        "cosi-bucketaccess-sidecar",
                        loop::observe,
                        SidecarAccessDecision::decide,
                        loop.inFlight,
                        SidecarAccessStep.class,
                        loop::act)
                .workers(context.workers())
                .tenants(key -> caches.accesses
                        .get("", key.name())
                        .map(access -> access.getSpec().bucketAccessRequestNamespace()))
                .limits(loop.calls)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.buckets, caches::accessKeysOf)
                .watchRelated(caches.secrets, caches::accessKeysOf);
        context.secrets().watchBy(controller, context::accessesWith, context::accessesWithSecretIn);
        context.driver().onChange(() -> caches.accesses.list().forEach(access -> controller.add(ObjectKey.of(access))));
    }

    private Stream<CredentialAge> credentials() {
        Instant now = context.runtime().time().now();
        return context.caches().accesses.list().stream()
                .flatMap(access -> context
                        .caches()
                        .access(ObjectKey.of(access))
                        .flatMap(served -> context.caches().secretOf(served))
                        .map(secret -> CredentialAge.of(
                                secret,
                                Metadata.annotation(secret, CosiNames.ROTATED_AT),
                                RequestedRotation.of(access, secret, now).state(),
                                now))
                        .stream());
    }

    SidecarAccessObservation observe(ObjectKey key) {
        Optional<BucketAccess> access = context.caches().access(key);
        Optional<Bucket> bucket = access.map(BucketAccess::getSpec)
                .flatMap(spec -> context.caches().bucket(spec.bucketName(), spec.bucketUid()));
        Optional<Bucket> restored = access.flatMap(context.caches()::restoredBucket);
        return new SidecarAccessObservation(
                access,
                bucket,
                restored,
                access.flatMap(context.caches()::secretOf),
                access.map(found -> context.preconditions(
                                found, bucket.or(() -> restored).orElse(null)))
                        .orElseGet(() -> context.preconditions(null)),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    private Outcome act(ObjectKey key, SidecarAccessStep step) {
        return switch (step) {
            case SidecarAccessStep.CallDriver call ->
                calls.act(
                        call.method(),
                        key,
                        () -> call.method() == DriverMethod.GRANT_ACCESS ? grant(call) : revoke(call));
            case SidecarAccessStep.ReadSecret read -> secretActs.read(read);
            case SidecarAccessStep.WriteSecret write -> secretActs.write(write);
            case SidecarAccessStep.KeepCredentials keep -> secretActs.keepCredentials(keep);
            case SidecarAccessStep.EndOverlap end -> secretActs.endOverlap(end);
            case SidecarAccessStep.SkipRevoke skip -> skipRevoke(skip);
            case SidecarAccessStep.DeleteSecret delete -> secretActs.delete(delete);
            case SidecarAccessStep.RemoveSecretFinalizer remove -> secretActs.removeFinalizer(remove);
        };
    }

    private Outcome grant(SidecarAccessStep.CallDriver step) {
        inFlight.update(
                ObjectKey.of(step.access()),
                state -> state.beforeGrant(step.grant().account()));
        boolean required = step.access().getSpec().serviceAccountName().isEmpty();
        return context.driver()
                .driver()
                .grant(
                        CosiOrders.grant(
                                step.access(),
                                step.bucket(),
                                step.grant().account(),
                                step.grant().rotateAt(),
                                step.secrets()),
                        () -> inFlight.remaining(ObjectKey.of(step.access())))
                .then(granted -> IssuedCredentials.of(granted, step.bucket(), required, step.grant()))
                .outcome(
                        issued -> succeeded(step.access(), state -> state.withCredentials(issued)),
                        problem -> failed(step, problem));
    }

    private Outcome revoke(SidecarAccessStep.CallDriver step) {
        return context.driver()
                .driver()
                .revoke(
                        CosiOrders.revoke(
                                step.access(),
                                step.bucket(),
                                step.grant().account(),
                                step.grant().accountId(),
                                step.secrets()),
                        () -> inFlight.remaining(ObjectKey.of(step.access())))
                .removalOutcome(
                        () -> succeeded(
                                step.access(),
                                state -> state.withRevoked(step.grant().account())),
                        problem -> failed(step, problem));
    }

    private Outcome skipRevoke(SidecarAccessStep.SkipRevoke step) {
        context.runtime()
                .events()
                .warning(
                        step.access(),
                        DriverMethod.REVOKE_ACCESS.eventReason(),
                        DriverMethod.REVOKE_ACCESS.rpc(),
                        step.cause() + " If the store has an account " + step.account() + ", delete it there.");
        succeeded(step.access(), state -> state.withRevoked(step.account()));
        return Outcome.progress();
    }

    private void failed(SidecarAccessStep.CallDriver step, Problem problem) {
        if (step.method() == DriverMethod.REVOKE_ACCESS) {
            inFlight.update(
                    ObjectKey.of(step.access()),
                    state -> state.withRefusal(context.runtime().time().moment()));
        }
        inFlight.recordFailure(ObjectKey.of(step.access()), step.method(), step.inputs(), problem);
    }

    private void succeeded(BucketAccess access, UnaryOperator<SidecarAccessState> change) {
        ObjectKey key = ObjectKey.of(access);
        inFlight.update(key, change);
        inFlight.clearFailure(key);
    }
}
