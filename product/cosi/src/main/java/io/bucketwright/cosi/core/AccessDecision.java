package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.AccessState.Attempt;
import io.bucketwright.cosi.core.AccessStep.Change;
import io.bucketwright.cosi.core.Permission.Permitted;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who is entitled to what, now. Whatever a ledger has and nobody is entitled to is revoked; an access that is entitled has
 * one published grant, and another one during a rotation. Pure.
 */
record AccessDecision(AccessObservation observed) {

    /** Access and claim are often created together: a wait is reported only after this time. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    private static final String GRANT = DriverMethod.GRANT_ACCESS.rpc();

    static Decision<Step> decide(AccessObservation observed) {
        return new AccessDecision(observed).decide();
    }

    private Decision<Step> decide() {
        Optional<RequestedAccess> live = facts().access().filter(access -> !Metadata.isBeingDeleted(access.object()));
        Optional<GrantingBucket> kept = live.flatMap(_ -> facts().named()).filter(_ -> facts().entitled());
        Optional<GrantingBucket> surplus = facts().recorded().stream()
                .filter(bucket -> !bucket.restored())
                .filter(bucket -> kept.map(GrantingBucket::name)
                        .filter(bucket.name()::equals)
                        .isEmpty())
                .filter(bucket -> !isSettled(bucket))
                .findFirst();
        if (surplus.isPresent()) {
            return settle(surplus.get(), live);
        }
        return facts().access()
                .map(access -> live.isPresent() ? provision(access, kept) : delete(access))
                .orElseGet(Decision::done);
    }

    /** Whether only the entry is left: it is removed after the finalizer, so that status and ledger never disagree. */
    private boolean isSettled(GrantingBucket bucket) {
        return facts().access()
                        .filter(access -> Metadata.isBeingDeleted(access.object()) && access.isProtected())
                        .isPresent()
                && isRevokedAndReleased(bucket);
    }

    private boolean isRevokedAndReleased(GrantingBucket bucket) {
        return grants(bucket).allMatch(grant -> isRevoked(bucket, grant))
                && secretsOf(bucket).stream().allMatch(this::isReleased);
    }

    private boolean isReleased(String name) {
        return switch (observed.inFlight().secret(name)) {
            case UserSecret.Missing(), UserSecret.Foreign() -> true;
            case UserSecret.Unknown(), UserSecret.Owned _ -> false;
        };
    }

    /** Revokes all grants of the bucket, then releases their Secrets, then removes them from the ledger. */
    private Decision<Step> settle(GrantingBucket bucket, Optional<RequestedAccess> live) {
        Optional<Grant> next =
                grants(bucket).filter(grant -> !isRevoked(bucket, grant)).findFirst();
        if (next.isPresent()) {
            return revoke(bucket, next.get());
        }
        Optional<Decision<Step>> secret = release(secretsOf(bucket));
        if (secret.isPresent()) {
            return secret.get();
        }
        Optional<RequestedAccess> stale = live.filter(
                access -> grants(bucket).anyMatch(grant -> grant.account().id().equals(access.accountId())));
        if (stale.filter(access -> !access.accountId().isEmpty()).isPresent()) {
            return Decision.act(new AccessStep.WriteStatus(stale.get(), "", false, Optional.empty()));
        }
        return write(bucket, Change.remove(grants(bucket).toArray(Grant[]::new)));
    }

    private Set<String> secretsOf(GrantingBucket bucket) {
        Set<String> names = new LinkedHashSet<>();
        grants(bucket)
                .map(Grant::publication)
                .flatMap(publication -> Stream.of(publication.secret(), publication.formerSecret()))
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        return names;
    }

    Optional<Decision<Step>> release(Set<String> names) {
        return names.stream()
                .filter(name -> !isReleased(name))
                .findFirst()
                .map(name -> observed.inFlight().secret(name) instanceof UserSecret.Owned(var secret, String _)
                        ? Decision.act(new AccessStep.RemoveSecret(name, secret))
                        : Decision.act(new AccessStep.ReadSecret(name, "")));
    }

    // Revocation.

    boolean isRevoked(GrantingBucket bucket, Grant grant) {
        Attempt attempt = attempt(bucket, grant);
        return attempt.revoked() || (grant.state() == State.ISSUING && attempt.unused());
    }

    Decision<Step> revoke(GrantingBucket bucket, Grant grant) {
        String id = answer(bucket, grant)
                .map(answer -> answer.granted().accountId())
                .orElseGet(() -> grant.account().revocationId());
        boolean proves = observed.settings().namesAreIds()
                || !grant.account().id().isEmpty()
                || answer(bucket, grant).isPresent();
        if (attempt(bucket, grant).revokedByName() && !proves) {
            return Decision.act(new AccessStep.GiveUp(bucket, grant, lost(bucket, grant)));
        }
        if (isAbsentForLong(bucket, grant) && deletionTakesLong()) {
            return Decision.act(new AccessStep.GiveUp(
                    bucket,
                    grant,
                    gate(bucket)
                                    .failure(DriverMethod.REVOKE_ACCESS)
                                    .map(attempt -> attempt.problem().message() + " ")
                                    .orElse("")
                            + "That is the answer of some drivers for an account that does not exist."
                            + " If the store has an account " + id + ", delete it there."));
        }
        if (bucket.id().isEmpty()) {
            return gate(bucket)
                    .report(
                            DriverMethod.REVOKE_ACCESS.eventReason(),
                            DriverMethod.REVOKE_ACCESS.rpc(),
                            "The id of Bucket " + bucket.name() + " is not known, so that account " + id
                                    + " cannot be revoked. Restore the status of the Bucket.",
                            Result.pending());
        }
        return gate(bucket)
                .call(DriverMethod.REVOKE_ACCESS, inputs -> new AccessStep.Revoke(bucket, grant, id, proves, inputs));
    }

    private boolean isAbsentForLong(GrantingBucket bucket, Grant grant) {
        return attempt(bucket, grant)
                .absence()
                .filter(absence ->
                        absence.duration().compareTo(observed.settings().patience()) >= 0)
                .isPresent();
    }

    private boolean deletionTakesLong() {
        return facts().access()
                .filter(access -> Metadata.isBeingDeleted(access.object()))
                .filter(access -> Duration.between(
                                        Instant.parse(
                                                access.object().getMetadata().getDeletionTimestamp()),
                                        observed.now())
                                .compareTo(observed.settings().patience())
                        < 0)
                .isEmpty();
    }

    String lost(GrantingBucket bucket, Grant grant) {
        return "The answer of the driver to the grant of account "
                + grant.account().name() + " was lost, and the driver"
                + " does not revoke accounts by their names. If the store has an account for it, delete it there, then set"
                + " the annotation " + ReleasedNames.DELETED_ACCOUNTS + " of Bucket " + bucket.name() + " to "
                + grant.account().name() + ".";
    }

    // Deletion.

    private Decision<Step> delete(RequestedAccess access) {
        Optional<Decision<Step>> unusable = Stream.concat(
                        facts().named().stream()
                                .filter(bucket -> !bucket.grants().isReadable()),
                        facts().recorded().stream())
                .flatMap(bucket -> unusable(bucket).stream())
                .findFirst();
        boolean served = access.served() || !facts().recorded().isEmpty();
        if (!access.isProtected() || !served) {
            return Decision.done();
        }
        if (unusable.isPresent()) {
            return unusable.get();
        }
        if (facts().recorded().isEmpty() && !observed.inFlight().protectedHere()) {
            Optional<Decision<Step>> former = facts().named().isPresent()
                    ? imported(access, facts().named().get())
                    : withoutBucket(access);
            if (former.isPresent()) {
                return former.get();
            }
        }
        Optional<Decision<Step>> secret =
                access.secret().isEmpty() ? Optional.empty() : release(Set.of(access.secret()));
        return secret.orElseGet(() -> Decision.act(new AccessStep.Unprotect(access)));
    }

    /** Somebody removed the Bucket by force. It may be restored from a backup, so the account is given up late. */
    private Optional<Decision<Step>> withoutBucket(RequestedAccess access) {
        if (access.accountId().isEmpty() || deletionTakesLong()) {
            return Optional.empty();
        }
        return Optional.of(gate(access.object())
                .report(
                        DriverMethod.REVOKE_ACCESS.eventReason(),
                        ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                        "The Bucket of the access does not exist, so that account " + access.accountId()
                                + " cannot be revoked. Restore the Bucket, or delete the account in the store. The access is"
                                + " released " + observed.settings().patience().toMinutes()
                                + " minutes after its deletion.",
                        Result.requeueAfter(observed.settings().patience())));
    }

    // Provisioning.

    private Decision<Step> provision(RequestedAccess access, Optional<GrantingBucket> kept) {
        Optional<Decision<Step>> unusable = kept.flatMap(this::unusable);
        if (unusable.isPresent()) {
            return unusable.get();
        }
        if (kept.isEmpty()) {
            boolean elsewhere = facts().permission() instanceof Permission.Elsewhere;
            return Problem.ofSize(access.object())
                    .filter(_ -> !elsewhere)
                    .map(problem -> gate(access.object())
                            .report(
                                    problem.reason(),
                                    GRANT,
                                    problem.message(),
                                    Result.requiresChange(problem.message())))
                    .orElseGet(() -> ungranted(access));
        }
        GrantingBucket bucket = kept.get();
        return new EntitledAccess(this, access, bucket).decide();
    }

    /** What the permission of an access says that has no grant. */
    Decision<Step> ungranted(RequestedAccess access) {
        return switch (facts().permission()) {
            case Permission.Elsewhere(), Permitted _ -> Decision.done();
            case Permission.Waiting(String message) -> waitFor(access, message);
            case Permission.Rejected(String reason, String message) ->
                gate(access.object())
                        .report(
                                DriverMethod.GRANT_ACCESS.eventReason(),
                                reason,
                                message,
                                Result.requiresChange(message));
        };
    }

    private Decision<Step> waitFor(RequestedAccess access, String message) {
        Instant usual = created(access).plus(USUAL_WAIT);
        Duration left = Duration.between(observed.now(), usual);
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left, USUAL_WAIT))
                : gate(access.object()).report(ReleasedReason.WAITING_FOR_BUCKET, GRANT, message, Result.pending());
    }

    /** A bucket whose ledger must not be used. */
    private Optional<Decision<Step>> unusable(GrantingBucket bucket) {
        if (!bucket.grants().isReadable()) {
            String message = "Bucket " + bucket.name() + ": " + bucket.grants().problem()
                    + " Nothing is granted or revoked until then.";
            return Optional.of(gate(bucket)
                    .report(ReleasedReason.UNREADABLE_LEDGER, GRANT, message, Result.requiresChange(message)));
        }
        if (bucket.restored()) {
            String message =
                    "Bucket " + bucket.name() + " was restored from a backup. Nothing is granted or revoked until"
                            + " an administrator sets its annotation " + ReleasedNames.USE_RESTORED + " to its uid.";
            return Optional.of(gate(bucket)
                    .report(ReleasedReason.BUCKET_RESTORED, GRANT, message, Result.requiresChange(message)));
        }
        return Optional.empty();
    }

    /**
     * The ledger entry of an access that another sidecar granted. Empty if there is none. Without an id in the status, only a
     * Secret shows that there was a grant, and its account is not known.
     */
    Optional<Decision<Step>> imported(RequestedAccess access, GrantingBucket bucket) {
        String name = firstName();
        Publication publication = new Publication(access.secret(), "");
        if (!access.accountId().isEmpty()) {
            return Optional.of(write(
                    bucket,
                    Change.of(issuing(bucket, name)
                            .with(new Account(name, access.accountId(), parameters()))
                            .with(publication)
                            .in(State.PUBLISHED, created(access)))));
        }
        if (access.secret().isEmpty()) {
            return Optional.empty();
        }
        return switch (observed.inFlight().secret(access.secret())) {
            case UserSecret.Unknown() -> Optional.of(Decision.act(new AccessStep.ReadSecret(access.secret(), "")));
            case UserSecret.Missing(), UserSecret.Foreign() -> Optional.empty();
            case UserSecret.Owned _ -> {
                Grant lost = issuing(bucket, name).with(publication).in(State.UNCONFIRMED, observed.now());
                yield Optional.of(write(
                        bucket,
                        Change.of(lost),
                        new Step.Event(
                                true,
                                DriverMethod.REVOKE_ACCESS.eventReason(),
                                DriverMethod.REVOKE_ACCESS.rpc(),
                                "Another sidecar granted this access, and the status does not have the account. "
                                        + lost(bucket, lost))));
            }
        };
    }

    private static Instant created(RequestedAccess access) {
        return Instant.parse(access.object().getMetadata().getCreationTimestamp());
    }

    // What all parts use.

    AccessFacts facts() {
        return observed.facts();
    }

    Stream<Grant> grants(GrantingBucket bucket) {
        return bucket.of(observed.grantee().uid()).stream();
    }

    /** All accounts that may work, on any bucket. */
    List<Grant> all() {
        return facts().recorded().stream().flatMap(this::grants).toList();
    }

    String firstName() {
        return ReleasedNames.accountOf(observed.grantee().uid());
    }

    private Map<String, String> parameters() {
        return facts().permission() instanceof Permitted permitted ? permitted.parameters() : Map.of();
    }

    Grant issuing(GrantingBucket bucket, String name) {
        return Grant.issuing(
                bucket.grants().ledger().nextId(),
                observed.grantee(),
                new Account(name, "", parameters()),
                observed.now());
    }

    static String key(GrantingBucket bucket, Grant grant) {
        return prefix(bucket) + grant.id();
    }

    static String prefix(GrantingBucket bucket) {
        return bucket.object().getMetadata().getUid() + "/";
    }

    Attempt attempt(GrantingBucket bucket, Grant grant) {
        return observed.inFlight().attempt(key(bucket, grant));
    }

    Optional<AccessState.Answer> answer(GrantingBucket bucket, Grant grant) {
        return observed.inFlight().answer().filter(answer -> answer.grant().equals(key(bucket, grant)));
    }

    Decision<Step> write(GrantingBucket bucket, Change change) {
        return Decision.act(new AccessStep.WriteLedger(bucket, change, Optional.empty()));
    }

    Decision<Step> write(GrantingBucket bucket, Change change, Step.Event event) {
        return Decision.act(new AccessStep.WriteLedger(bucket, change, Optional.of(event)));
    }

    DriverGate gate(GrantingBucket bucket) {
        return gate(facts().access().map(RequestedAccess::object).orElse(bucket.object()));
    }

    private DriverGate gate(HasMetadata subject) {
        String inputs = facts().permission() instanceof Permitted permitted ? permitted.inputs() : "";
        return new DriverGate(subject, inputs, observed.preconditions(), observed.failure());
    }

    boolean isAbsent(GrantingBucket bucket, Grant grant) {
        return observed.settings().namesAreIds()
                ? attempt(bucket, grant).absence().isPresent()
                : isAbsentForLong(bucket, grant);
    }
}
