package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Observes, decides and acts for BucketAccesses of {@code objectstorage.k8s.io}. */
final class ReleasedAccessController {

    private final ReleasedContext context;
    private final ApiWriter writer;
    private final EventRecorder events;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;

    private final InFlightState<ObjectKey, ReleasedAccessState> inFlight;
    private final UserSecretActs secretActs;

    private ReleasedAccessController(ReleasedContext context) {
        this.context = context;
        this.writer = context.runtime().writer();
        this.events = context.runtime().events();
        this.inFlight = context.runtime().inFlight(ReleasedAccessState.NONE);
        this.calls = ConcurrencyLimits.forWorkers(context.workers());
        this.secretActs = new UserSecretActs(context, inFlight);
    }

    /** Registers the controller with the process. */
    static void register(ReleasedContext context) {
        ReleasedAccessController loop = new ReleasedAccessController(context);
        ReleasedSidecarCaches caches = context.caches();
        context.runtime()
                .metrics()
                .credentials(loop::credentials, context.runtime().time()::now);
        Controller<ObjectKey> controller = context.runtime()
                .controller(
                        "objectstorage-bucketaccess-sidecar",
                        loop::observe,
                        ReleasedAccessDecision::decide,
                        loop.inFlight,
                        ReleasedAccessStep.class,
                        loop::act)
                .workers(context.workers())
                .limits(loop.calls)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.buckets, caches::accessKeysOf)
                .watchRelated(caches.claims, caches::accessKeysOf)
                .watchRelated(caches.accessClasses, caches::accessKeysOf);
        context.driver().onChange(() -> caches.accesses.list().forEach(access -> controller.add(ObjectKey.of(access))));
    }

    private Stream<CredentialAge> credentials() {
        return context.caches().accesses.list().stream()
                .map(access -> ReleasedRotationDecision.age(observe(ObjectKey.of(access))))
                .flatMap(Optional::stream);
    }

    private ReleasedAccessObservation observe(ObjectKey key) {
        ReleasedSidecarCaches caches = context.caches();
        Optional<ReleasedBucketAccess> access =
                caches.accesses.get(key.namespace(), key.name()).filter(key::names);
        return new ReleasedAccessObservation(
                context.driverName(),
                access,
                access.flatMap(caches::classOf),
                access.flatMap(caches::claimOf),
                access.flatMap(caches::bucketOf),
                context.preconditions(),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    private Outcome act(ObjectKey key, ReleasedAccessStep step) {
        return switch (step) {
            case ReleasedAccessStep.AddFinalizer(ReleasedBucketAccess access) ->
                replace(
                        access,
                        ReleasedUpdates.finalizers(ReleasedNames.ACCESS_FINALIZER)
                                .andThen(ReleasedUpdates.annotation(ReleasedNames.DRIVER, context.driverName())),
                        ReleasedAccessState::afterRecord);
            case ReleasedAccessStep.ProtectBucket(ReleasedBucket bucket) -> {
                replace(bucket, ReleasedUpdates.finalizers(ReleasedNames.ACCESSED_BUCKET_FINALIZER));
                yield Outcome.progress();
            }
            case ReleasedAccessStep.Grant grant -> calls.act(DriverMethod.GRANT_ACCESS, key, () -> grant(key, grant));
            case ReleasedAccessStep.Revoke revoke ->
                calls.act(DriverMethod.REVOKE_ACCESS, key, () -> revoke(key, revoke));
            case ReleasedAccessStep.RecordName record -> recordName(key, record);
            case ReleasedAccessStep.RecordAccounts record -> recordAccounts(key, record);
            case ReleasedAccessStep.EndRotation end -> endRotation(key, end);
            case ReleasedAccessStep.WriteStatus write -> writeStatus(key, write);
            case ReleasedAccessStep.ReadSecret(ReleasedBucketAccess access) -> secretActs.read(access);
            case ReleasedAccessStep.WriteSecret write -> secretActs.write(write);
            case ReleasedAccessStep.RemoveSecret remove -> secretActs.remove(remove);
            case ReleasedAccessStep.SkipRevoke skip -> skipRevoke(key, skip);
            case ReleasedAccessStep.RemoveFinalizer(ReleasedBucketAccess access) ->
                replace(
                        access,
                        ReleasedUpdates.withoutFinalizers(ReleasedNames.ACCESS_FINALIZER),
                        _ -> ReleasedAccessState.NONE);
        };
    }

    private Outcome grant(ObjectKey key, ReleasedAccessStep.Grant step) {
        boolean first = inFlight.get(key).recordedHere();
        inFlight.update(key, state -> state.beforeGrant(step.rotation()));
        return context.driver()
                .driver()
                .grant(
                        ReleasedOrders.grant(step.account(), step.accessClass(), step.bucket()),
                        () -> inFlight.remaining(key))
                .outcome(granted -> succeeded(key, state -> granted(state, granted, step)), problem -> {
                    failed(key, DriverMethod.GRANT_ACCESS, step.inputs(), explained(step, problem, first));
                    inFlight.update(
                            key, state -> state.afterFailedGrant(first, ReleasedBucketController.isAmbiguous(problem)));
                });
    }

    private static ReleasedAccessState granted(
            ReleasedAccessState state, GrantedAccess granted, ReleasedAccessStep.Grant step) {
        return step.rotation() ? state.withRotationGrant(granted) : state.withGrant(granted);
    }

    /** Some drivers cannot grant twice, and do not find the account of the first grant by its name. */
    private static Problem explained(ReleasedAccessStep.Grant step, Problem problem, boolean first) {
        return first || ReleasedBucketController.isAmbiguous(problem)
                ? problem
                : new Problem(
                        problem.reason(),
                        problem.message() + " An earlier call may have created the account " + step.account()
                                + ". If the driver does not grant access to it again, the sidecar uses another account;"
                                + " if that fails, too, delete this BucketAccess and create it again.",
                        problem.recovery());
    }

    private Outcome revoke(ObjectKey key, ReleasedAccessStep.Revoke step) {
        return context.driver()
                .driver()
                .revoke(
                        ReleasedOrders.revoke(step.accessClass(), step.bucketId(), step.accountId()),
                        () -> inFlight.remaining(key))
                .removalOutcome(() -> revoked(key, step.which(), step.accountId()), problem -> {
                    failed(key, DriverMethod.REVOKE_ACCESS, step.inputs(), problem);
                    if (step.which() == RevokedAccount.CURRENT) {
                        inFlight.update(
                                key,
                                state -> state.withRevocation(
                                        false, state.revokingHere() && !ReleasedBucketController.isAmbiguous(problem)));
                    }
                });
    }

    private void revoked(ObjectKey key, RevokedAccount which, String accountId) {
        switch (which) {
            // A grant that failed keeps its back-off.
            case FORMER -> inFlight.update(key, ReleasedAccessState::withFormerRevoked);
            case CURRENT -> succeeded(key, ReleasedAccessState::afterRevoke);
            case OTHER -> succeeded(key, state -> state.withOtherRevoked(accountId));
        }
    }

    private Outcome recordName(ObjectKey key, ReleasedAccessStep.RecordName step) {
        write(step.access(), step.bucket(), step.accounts());
        inFlight.update(key, ReleasedAccessState::afterNextName);
        inFlight.clearFailure(key);
        if (!step.lost().isEmpty()) {
            events.warning(
                    step.access(),
                    DriverMethod.REVOKE_ACCESS.eventReason(),
                    DriverMethod.GRANT_ACCESS.rpc(),
                    "The answer of the driver to the grant of account " + step.lost()
                            + " was lost, and the driver does not grant access to it again. The sidecar uses"
                            + " another account. If the store has an account for " + step.lost()
                            + ", delete it there.");
        }
        return Outcome.progress();
    }

    private Outcome recordAccounts(ObjectKey key, ReleasedAccessStep.RecordAccounts step) {
        write(step.access(), step.bucket(), step.accounts());
        inFlight.update(key, state -> {
            ReleasedAccessState marked = state.withRevoking(step.marked());
            boolean recorded = marked.granted()
                    .filter(granted -> step.accounts().has(granted.accountId()))
                    .isPresent();
            return recorded ? marked.withoutGrant() : marked;
        });
        return Outcome.progress();
    }

    private Outcome endRotation(ObjectKey key, ReleasedAccessStep.EndRotation step) {
        boolean rotated = step.event().equals(ReleasedReason.ACCESS_ROTATED);
        if (!rotated) {
            // Before the write, which says that the request is handled: nobody would report it later.
            events.warning(step.access(), step.event(), DriverMethod.GRANT_ACCESS.rpc(), step.note());
        }
        write(step.access(), step.bucket(), step.accounts());
        inFlight.forget(key);
        if (rotated) {
            events.normal(step.access(), step.event(), DriverMethod.GRANT_ACCESS.rpc(), step.note());
        }
        return Outcome.progress();
    }

    private void write(ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord accounts) {
        String key = ReleasedAccessObservation.accountsKey(access);
        replace(
                bucket,
                accounts.isEmpty()
                        ? ReleasedUpdates.withoutAnnotation(key)
                        : ReleasedUpdates.annotation(key, accounts.encode()));
    }

    private void replace(ReleasedBucket bucket, Consumer<ObjectMeta> change) {
        ReleasedBucket _ = writer.replace(bucket, whole -> ReleasedUpdates.changed(whole, change));
    }

    private Outcome writeStatus(ObjectKey key, ReleasedAccessStep.WriteStatus step) {
        ReleasedBucketAccess _ = writer.replaceStatus(
                ReleasedUpdates.with(step.access(), new ReleasedAccessStatus(step.accountId(), step.granted())));
        if (!step.granted() || !step.event()) {
            inFlight.update(key, state -> state.withRevocation(!step.granted(), false));
        } else {
            inFlight.forget(key);
            events.normal(
                    step.access(),
                    ReleasedReason.ACCESS_GRANTED,
                    DriverMethod.GRANT_ACCESS.rpc(),
                    "Secret " + step.access().spec().credentialsSecretName() + " contains the credentials.");
        }
        return Outcome.progress();
    }

    private Outcome skipRevoke(ObjectKey key, ReleasedAccessStep.SkipRevoke step) {
        events.warning(
                step.access(),
                DriverMethod.REVOKE_ACCESS.eventReason(),
                DriverMethod.REVOKE_ACCESS.rpc(),
                step.cause() + " If the store has an account " + step.accountId() + ", delete it there.");
        inFlight.clearFailure(key);
        revoked(key, step.which(), step.accountId());
        return Outcome.progress();
    }

    private Outcome replace(
            ReleasedBucketAccess access, Consumer<ObjectMeta> change, UnaryOperator<ReleasedAccessState> written) {
        ReleasedBucketAccess _ = writer.replace(access, whole -> ReleasedUpdates.changed(whole, change));
        inFlight.update(ObjectKey.of(access), written);
        return Outcome.progress();
    }

    private void failed(ObjectKey key, DriverMethod method, String inputs, Problem problem) {
        inFlight.recordFailure(key, method, inputs, problem);
    }

    private void succeeded(ObjectKey key, UnaryOperator<ReleasedAccessState> change) {
        inFlight.update(key, change);
        inFlight.clearFailure(key);
    }
}
