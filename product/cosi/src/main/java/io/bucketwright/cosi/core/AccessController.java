package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.core.AccessObservation.Clock;
import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.core.AccessState.Answer;
import io.bucketwright.cosi.core.AccessState.Attempt;
import io.bucketwright.cosi.sidecar.driver.Driver;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.Grantee;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Observes, decides and acts for the grantees of an API: its accesses, and those that only a ledger still has. */
public final class AccessController {

    private static final int LOCKS = 64;

    /** Answers after which no account of the requested name was issued. */
    private static final Set<String> REFUSALS = Stream.of(
                    ProvisionerReason.INVALID_ARGUMENT,
                    ProvisionerReason.UNIMPLEMENTED,
                    ProvisionerReason.INVALID_CREDENTIALS,
                    ProvisionerReason.FAILED_PRECONDITION)
            .map(ProvisionerReason::text)
            .collect(Collectors.toUnmodifiableSet());

    private final ControllerContext runtime;
    private final AccessRecord record;
    private final DriverPort driver;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;
    /** The ledger of one bucket is written by one worker at a time. */
    private final Object[] locks =
            IntStream.range(0, LOCKS).mapToObj(_ -> new Object()).toArray();

    private final InFlightState<ObjectKey, AccessState> inFlight;
    private final AccessSecrets secrets;

    /**
     * The driver of the accesses.
     *
     * @param settings how it is treated now
     */
    public record DriverPort(
            Supplier<Driver> driver, Supplier<DriverPreconditions> preconditions, Supplier<Settings> settings) {}

    private AccessController(ControllerContext runtime, AccessRecord record, DriverPort driver, int workers) {
        this.runtime = runtime;
        this.record = record;
        this.driver = driver;
        this.calls = ConcurrencyLimits.forWorkers(workers);
        this.inFlight = runtime.inFlight(AccessState.NONE);
        this.secrets = new AccessSecrets(runtime, record, inFlight);
    }

    /**
     * Registers the controller with the process. The caller adds what it watches.
     *
     * @param name of the loop
     * @param grantees all of them, for metrics
     */
    public static Controller<ObjectKey> register(
            String name,
            ControllerContext runtime,
            AccessRecord record,
            DriverPort driver,
            int workers,
            Supplier<Stream<ObjectKey>> grantees) {
        AccessController loop = new AccessController(runtime, record, driver, workers);
        runtime.metrics()
                .credentials(() -> grantees.get().map(loop::age).flatMap(Optional::stream), runtime.time()::now);
        return runtime.controller(
                        name, loop::observe, AccessDecision::decide, loop.inFlight, AccessStep.class, loop::act)
                .workers(workers)
                .limits(loop.calls);
    }

    private Optional<CredentialAge> age(ObjectKey key) {
        AccessDecision rules = new AccessDecision(observe(key));
        AccessFacts facts = rules.facts();
        return facts.access()
                .filter(_ -> facts.entitled())
                .flatMap(access -> facts.named().flatMap(bucket -> new EntitledAccess(rules, access, bucket).age()));
    }

    private AccessObservation observe(ObjectKey key) {
        return new AccessObservation(
                new Grantee(key.namespace(), key.name(), key.uid()),
                record.facts(key),
                driver.preconditions().get(),
                inFlight.get(key),
                inFlight.failure(key),
                driver.settings().get(),
                new Clock(runtime.time().now(), inFlight.moment()));
    }

    private Outcome act(ObjectKey key, AccessStep step) {
        return switch (step) {
            case AccessStep.Protect(RequestedAccess access) -> {
                record.protect(access.object());
                inFlight.update(key, AccessState::afterProtect);
                yield Outcome.progress();
            }
            case AccessStep.Unprotect(RequestedAccess access) -> {
                record.unprotect(access.object());
                yield Outcome.progress();
            }
            case AccessStep.WriteLedger write -> writeLedger(key, write);
            case AccessStep.Issue issue -> calls.act(DriverMethod.GRANT_ACCESS, key, () -> issue(key, issue));
            case AccessStep.Revoke revoke -> calls.act(DriverMethod.REVOKE_ACCESS, key, () -> revoke(key, revoke));
            case AccessStep.GiveUp giveUp -> giveUp(key, giveUp);
            case AccessStep.WriteStatus write -> writeStatus(key, write);
            case AccessStep.ReadSecret(String name, String inputs) -> secrets.read(key, name, inputs);
            case AccessStep.WriteSecret write -> secrets.write(key, write);
            case AccessStep.Checked() -> {
                inFlight.update(key, _ -> AccessState.checkedAt(inFlight.moment()));
                yield Outcome.progress();
            }
            case AccessStep.RemoveSecret(String name, var secret) -> secrets.remove(key, name, secret);
        };
    }

    /** The newest version counts: other accesses write the same ledger. A decision about an older number is repeated. */
    private Outcome writeLedger(ObjectKey key, AccessStep.WriteLedger step) {
        GrantingBucket bucket = step.bucket();
        GrantLedger decided = bucket.grants().ledger();
        HasMetadata subject = subject(key, bucket);
        synchronized (locks[Math.floorMod(bucket.name().hashCode(), LOCKS)]) {
            Optional<GrantingBucket> newest = record.newest(bucket)
                    .filter(found -> found.grants().isReadable() && !found.restored())
                    .filter(found -> found.grants().ledger().issued() == decided.issued()
                            || step.change().put().stream()
                                    .allMatch(grant -> decided.find(grant.id()).isPresent()));
            if (newest.isEmpty()) {
                return Outcome.progress();
            }
            // Before the write, which says that it is handled: nobody would report it later.
            step.event().filter(Step.Event::warning).ifPresent(event -> send(subject, event));
            record.write(
                    newest.get(), step.change().applyTo(newest.get().grants().ledger()));
        }
        inFlight.update(key, state -> noted(state, step));
        inFlight.clearFailure(key);
        step.event().filter(event -> !event.warning()).ifPresent(event -> send(subject, event));
        return Outcome.progress();
    }

    private static AccessState noted(AccessState state, AccessStep.WriteLedger step) {
        String prefix = AccessDecision.prefix(step.bucket());
        String unused = step.change().unused();
        AccessState noted = unused.isEmpty() ? state : state.withAttempt(prefix + unused, _ -> Attempt.UNUSED);
        return noted.withoutAnswer(grant -> step.change().removed().stream().anyMatch(id -> grant.equals(prefix + id)));
    }

    private Outcome issue(ObjectKey key, AccessStep.Issue step) {
        String grant = AccessDecision.key(step.bucket(), step.grant());
        Attempt before = inFlight.get(key).attempt(grant);
        // If this process does not get the answer, the driver may have done it.
        inFlight.update(key, state -> state.withAttempt(grant, _ -> Attempt.NONE));
        DriverAnswer<GrantedAccess> answer = driver.driver()
                .get()
                .grant(record.order(step.bucket(), step.grant(), step.permission()), () -> inFlight.remaining(key));
        if (answer instanceof DriverAnswer.Pending<GrantedAccess>) {
            inFlight.update(key, state -> state.withAttempt(grant, _ -> before));
        }
        return answer.outcome(
                granted -> {
                    inFlight.update(
                            key,
                            state -> state.withAnswer(
                                    new Answer(grant, granted, record.fingerprint(granted.credentials()))));
                    inFlight.clearFailure(key);
                },
                problem -> {
                    inFlight.recordFailure(key, DriverMethod.GRANT_ACCESS, step.inputs(), problem);
                    inFlight.update(
                            key, state -> state.withAttempt(grant, _ -> after(before, problem, inFlight.moment())));
                });
    }

    private static Attempt after(Attempt before, Problem problem, Moment moment) {
        if (REFUSALS.contains(problem.reason())) {
            return before;
        }
        return problem.reason().equals(ProvisionerReason.ALREADY_EXISTS.text())
                ? Attempt.TAKEN
                : Attempt.NONE.failedAt(moment);
    }

    private Outcome revoke(ObjectKey key, AccessStep.Revoke step) {
        String grant = AccessDecision.key(step.bucket(), step.grant());
        return driver.driver()
                .get()
                .revoke(record.revocation(step.bucket(), step.grant(), step.id()), () -> inFlight.remaining(key))
                .removalOutcome(() -> revoked(key, step.bucket(), step.grant(), step.proves()), problem -> {
                    inFlight.recordFailure(key, DriverMethod.REVOKE_ACCESS, step.inputs(), problem);
                    boolean absent = problem.reason().equals(ProvisionerReason.INTERNAL_ERROR.text());
                    inFlight.update(
                            key,
                            state -> state.withAttempt(
                                    grant,
                                    attempt -> absent ? attempt.absentAt(inFlight.moment()) : attempt.present()));
                });
    }

    /** A grant that failed keeps its back-off. */
    private void revoked(ObjectKey key, GrantingBucket bucket, Grant revoked, boolean proves) {
        String grant = AccessDecision.key(bucket, revoked);
        inFlight.update(key, state -> {
            AccessState changed = state.withAttempt(grant, attempt -> attempt.withRevokedByName(proves));
            return changed.withoutAnswer(grant::equals);
        });
        inFlight.failure(key)
                .filter(attempt -> attempt.operation().equals(DriverMethod.REVOKE_ACCESS))
                .ifPresent(_ -> inFlight.clearFailure(key));
    }

    private Outcome giveUp(ObjectKey key, AccessStep.GiveUp step) {
        runtime.events()
                .warning(
                        subject(key, step.bucket()),
                        DriverMethod.REVOKE_ACCESS.eventReason(),
                        DriverMethod.REVOKE_ACCESS.rpc(),
                        step.note());
        inFlight.update(
                key,
                state -> state.withAttempt(
                        AccessDecision.key(step.bucket(), step.grant()), attempt -> attempt.withRevokedByName(true)));
        inFlight.clearFailure(key);
        return Outcome.progress();
    }

    private Outcome writeStatus(ObjectKey key, AccessStep.WriteStatus step) {
        record.writeStatus(step.access().object(), step.accountId(), step.granted());
        inFlight.update(key, state -> state.withoutAnswer(_ -> true));
        inFlight.clearFailure(key);
        step.event().ifPresent(event -> send(step.access().object(), event));
        return Outcome.progress();
    }

    /** Whom an event is about: the access, or the bucket if the access no longer exists. */
    private HasMetadata subject(ObjectKey key, GrantingBucket bucket) {
        return record.facts(key).access().map(RequestedAccess::object).orElse(bucket.object());
    }

    private void send(HasMetadata subject, Step.Event event) {
        if (event.warning()) {
            runtime.events().warning(subject, event.reason(), event.action(), event.note());
        } else {
            runtime.events().normal(subject, event.reason(), event.action(), event.note());
        }
    }
}
