package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.AccessState.Answer;
import io.bucketwright.cosi.core.AccessState.Attempt;
import io.bucketwright.cosi.core.AccessStep.Change;
import io.bucketwright.cosi.core.AccessStep.Credentials;
import io.bucketwright.cosi.core.Permission.Overlap;
import io.bucketwright.cosi.core.Permission.Permitted;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.CredentialRotation;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for an access that is entitled to a bucket: one grant is published, a rotation issues a second one and revokes
 * the first one after the overlap. At most two accounts of an access may work, whatever the driver does. Pure.
 */
record EntitledAccess(AccessDecision rules, RequestedAccess access, GrantingBucket bucket) {

    /** Grants after which a rotation is given up: a driver that cannot rotate must not be called forever. */
    static final int MAX_GRANTS = 12;

    private static final int MAX_ACCOUNTS = 2;
    private static final Duration CHECK = Duration.ofMinutes(30);
    /** Seconds. */
    private static final int SPREAD = 1800;

    private static final String GRANT = DriverMethod.GRANT_ACCESS.rpc();

    Decision<Step> decide() {
        boolean isImported = permission() instanceof Permitted
                && access.isProtected()
                && !inFlight().protectedHere();
        if (isImported && find(State.values()).isEmpty()) {
            Optional<Decision<Step>> imported = rules.imported(access, bucket);
            if (imported.isPresent()) {
                return imported.get();
            }
        }
        Optional<Decision<Step>> ended = ended();
        if (ended.isPresent()) {
            return ended.get();
        }
        Optional<Problem> tooLarge = Problem.ofSize(access.object());
        if (tooLarge.isPresent()) {
            Problem problem = tooLarge.get();
            Result result = overlap().map(Result::requeueAfter).orElse(Result.requiresChange(problem.message()));
            return gate().report(problem.reason(), GRANT, problem.message(), result);
        }
        Optional<Grant> current = find(State.PUBLISHED);
        Optional<Grant> next = find(State.ISSUING, State.ISSUED);
        if (current.isPresent() && next.isEmpty()) {
            return published(current.get());
        }
        if (!(permission() instanceof Permitted permitted)) {
            return rules.ungranted(access);
        }
        if (!access.isProtected()) {
            return Decision.act(new AccessStep.Protect(access));
        }
        return next.map(grant -> progress(grant, current, permitted)).orElseGet(this::first);
    }

    /** What nobody needs any more, of an access that is entitled to the rest. */
    private Optional<Decision<Step>> ended() {
        List<Grant> lost = rules.grants(bucket)
                .filter(grant -> grant.state() == State.UNCONFIRMED)
                .toList();
        Optional<Grant> confirmed = lost.stream().filter(this::isConfirmed).findFirst();
        if (confirmed.isPresent()) {
            return Optional.of(rules.write(bucket, Change.remove(confirmed.get())));
        }
        if (rules.observed().settings().namesAreIds() && !lost.isEmpty()) {
            return Optional.of(rules.revoke(bucket, lost.getFirst()));
        }
        return rules.grants(bucket)
                .filter(grant -> grant.state() == State.RETIRING)
                .filter(grant ->
                        grant.until().filter(end -> !end.isAfter(now())).isPresent())
                .findFirst()
                .map(grant -> rules.isRevoked(bucket, grant)
                                || isCurrent(grant.account().id())
                        ? rules.write(bucket, Change.remove(grant))
                        : rules.revoke(bucket, grant));
    }

    /** Whether the account of a lost answer does not exist, or is the one of another grant. */
    private boolean isConfirmed(Grant lost) {
        String name = lost.account().name();
        return bucket.deletedAccounts().contains(name)
                || rules.isRevoked(bucket, lost)
                || rules.grants(bucket).anyMatch(grant -> grant.account().id().equals(name));
    }

    boolean isCurrent(String id) {
        return find(State.PUBLISHED)
                .filter(current -> current.account().id().equals(id))
                .isPresent();
    }

    // The first grant, and any other one.

    private Decision<Step> first() {
        List<Grant> working = rules.all();
        return working.size() >= MAX_ACCOUNTS
                ? stopped(working)
                : begin(working.isEmpty() ? rules.firstName() : nextName(), "");
    }

    private Decision<Step> stopped(List<Grant> working) {
        String message = rules.lost(bucket, working.getFirst()) + " Until then no other account is requested.";
        return gate().report(DriverMethod.GRANT_ACCESS.eventReason(), GRANT, message, Result.requiresChange(message));
    }

    private String nextName() {
        return numbered(bucket.grants().ledger().nextId());
    }

    private String numbered(String id) {
        return rules.firstName() + "-" + id;
    }

    private Decision<Step> begin(String name, String request) {
        return gate().call(
                        DriverMethod.GRANT_ACCESS,
                        _ -> new AccessStep.WriteLedger(
                                bucket, Change.of().issuing(issuing(name, request)), Optional.empty()));
    }

    private Grant issuing(String name, String request) {
        return rules.issuing(bucket, name).with(Publication.NONE.answering(request));
    }

    private Decision<Step> progress(Grant grant, Optional<Grant> current, Permitted permitted) {
        Optional<Answer> answer = rules.answer(bucket, grant);
        if (grant.state() == State.ISSUED) {
            return current.map(former -> rotation().publish(grant, former, permitted))
                    .orElseGet(() -> rules.write(
                            bucket,
                            Change.of(grant.with(grant.publication().in(access.secret()))
                                    .in(State.PUBLISHED, now()))));
        }
        if (answer.isPresent()) {
            return answered(grant, current, answer.get());
        }
        if (attempt(grant).unused()) {
            return issue(grant, current, permitted);
        }
        return current.map(published -> rotation().unanswered(grant, published, permitted))
                .orElseGet(() -> unanswered(grant, permitted));
    }

    private Decision<Step> issue(Grant grant, Optional<Grant> current, Permitted permitted) {
        if (current.isPresent()
                && gate().failed(
                                DriverMethod.GRANT_ACCESS,
                                ProvisionerReason.UNIMPLEMENTED,
                                ProvisionerReason.INVALID_ARGUMENT)) {
            return rotation().refused(grant, current.get());
        }
        return current.isPresent() && rotation().isGivenUp()
                ? rotation().givenUp(current.get(), grant, Change.remove(grant))
                : gate().call(
                                DriverMethod.GRANT_ACCESS,
                                inputs -> new AccessStep.Issue(bucket, grant, permitted, inputs));
    }

    /** The id is written before the Secret: whatever happens then, the account can be revoked. */
    private Decision<Step> answered(Grant grant, Optional<Grant> current, Answer answer) {
        Grant issued = grant.with(new Account(
                        grant.account().name(),
                        answer.granted().accountId(),
                        grant.account().parameters()))
                .with(grant.publication().withKey(keyId(answer.granted().credentials())));
        if (current.isEmpty()) {
            Grant published =
                    issued.with(issued.publication().in(access.secret())).in(State.PUBLISHED, now());
            Optional<Grant> lost = find(State.UNCONFIRMED);
            boolean sameAccount = lost.filter(former ->
                            former.account().name().equals(answer.granted().accountId()))
                    .isPresent();
            return lost.isEmpty() || sameAccount
                    ? rules.write(
                            bucket,
                            lost.map(former -> Change.of(published).without(former))
                                    .orElseGet(() -> Change.of(published)))
                    : rules.write(
                            bucket,
                            Change.of(published),
                            warning(DriverMethod.REVOKE_ACCESS.eventReason(), rules.lost(bucket, lost.get())));
        }
        return switch (inFlight().secret(current.get().publication().secret())) {
            case UserSecret.Unknown(), UserSecret.Foreign() -> read(current.get());
            case UserSecret.Owned(var _, String fingerprint)
            when fingerprint.equals(answer.fingerprint()) -> rotation().unchanged(issued, current.get());
            case UserSecret.Owned _, UserSecret.Missing() ->
                rules.write(bucket, Change.of(issued.in(State.ISSUED, now())));
        };
    }

    private static String keyId(AccountCredentials credentials) {
        return credentials instanceof AccountCredentials.S3Key key ? key.accessKeyId() : "";
    }

    /**
     * Nobody knows whether the driver has issued the grant: a process ended, or its answer was lost. The account is revoked by
     * its name. If that proves nothing, the grant stays in the ledger, and only one more is requested.
     */
    private Decision<Step> unanswered(Grant grant, Permitted permitted) {
        boolean again = rules.grants(bucket)
                .anyMatch(former -> former.state() == State.UNCONFIRMED
                        && former.account().name().equals(grant.account().name()));
        if (attempt(grant).taken() && again) {
            // This call has issued nothing.
            Account other =
                    new Account(numbered(grant.id()), "", grant.account().parameters());
            return rules.write(bucket, Change.of().issuing(grant.with(other)));
        }
        if (!isRevokedByName(grant)) {
            return rules.revoke(bucket, grant);
        }
        if (rules.observed().settings().namesAreIds()) {
            return gate().call(
                            DriverMethod.GRANT_ACCESS,
                            inputs -> new AccessStep.Issue(bucket, grant, permitted, inputs));
        }
        Duration left = patience(grant);
        if (left.isPositive()) {
            // An outage would use up the second account, too.
            return gate().report(DriverMethod.GRANT_ACCESS.eventReason(), GRANT, cause(), Result.requeueAfter(left));
        }
        Grant lost = grant.in(State.UNCONFIRMED, now());
        return rules.all().size() < MAX_ACCOUNTS
                ? rules.write(
                        bucket, Change.of(lost).issuing(issuing(grant.account().name(), "")))
                : rules.write(
                        bucket,
                        Change.of(lost),
                        warning(DriverMethod.REVOKE_ACCESS.eventReason(), rules.lost(bucket, lost)));
    }

    private Duration patience(Grant grant) {
        return attempt(grant)
                .failed()
                .map(failed -> rules.observed()
                        .settings()
                        .patience()
                        .minus(rules.observed().clock().moment().since(failed)))
                .orElse(Duration.ZERO);
    }

    boolean isRevokedByName(Grant grant) {
        return attempt(grant).revokedByName() || rules.isAbsent(bucket, grant);
    }

    // What is published.

    private Decision<Step> published(Grant current) {
        if (!access.isProtected()) {
            return Decision.act(new AccessStep.Protect(access));
        }
        Publication publication = current.publication();
        if (!publication.formerSecret().isEmpty()) {
            return move(current);
        }
        if (!access.secret().equals(publication.secret()) && !access.secret().isEmpty()) {
            return rules.write(bucket, Change.of(current.with(publication.in(access.secret()))));
        }
        UserSecret secret = inFlight().secret(publication.secret());
        boolean isBroken = secret instanceof UserSecret.Missing || secret.isBeingDeleted();
        if (!access.shows(current.account().id()) || isBroken) {
            return publish(current);
        }
        return rotate(current);
    }

    private Decision<Step> publish(Grant current) {
        Optional<Answer> answer = rules.answer(bucket, current);
        return switch (inFlight().secret(current.publication().secret())) {
            // Without its finalizer it is deleted, and then it is written again.
            case UserSecret.Owned(var deleted, String _)
            when Metadata.isBeingDeleted(deleted) ->
                Decision.act(new AccessStep.RemoveSecret(current.publication().secret(), deleted));
            case UserSecret.Owned owned
            when owned.has(current) ->
                Decision.act(new AccessStep.WriteStatus(
                        access, current.account().id(), true, access.granted() ? Optional.empty() : granted()));
            case UserSecret.Foreign() -> read(current);
            case UserSecret.Unknown() when answer.isEmpty() -> read(current);
            case UserSecret.Unknown(), UserSecret.Missing(), UserSecret.Owned _ ->
                answer.map(issued -> writeSecret(current, current.publication(), issued))
                        .orElseGet(() -> reissue(current));
        };
    }

    private static Optional<Step.Event> granted() {
        return Optional.of(
                new Step.Event(false, ReleasedReason.ACCESS_GRANTED, GRANT, "The Secret contains the credentials."));
    }

    Decision<Step> writeSecret(Grant grant, Publication publication, Answer answer) {
        return writeSecret(grant, publication, new Credentials.Issued(answer.granted()));
    }

    Decision<Step> writeSecret(Grant grant, Publication publication, Credentials credentials) {
        return gate().call(
                        DriverMethod.GRANT_ACCESS,
                        inputs -> new AccessStep.WriteSecret(
                                access, bucket, grant.with(publication), credentials, inputs));
    }

    Decision<Step> read(Grant grant) {
        return gate().call(
                        DriverMethod.GRANT_ACCESS,
                        inputs -> new AccessStep.ReadSecret(grant.publication().secret(), inputs));
    }

    /** The credentials are in no Secret. Applications that have them keep them for the overlap; others never had them. */
    private Decision<Step> reissue(Grant current) {
        if (!(permission() instanceof Permitted)) {
            return rules.ungranted(access);
        }
        if (access.shows(current.account().id())) {
            List<Grant> working = rules.all();
            return working.size() >= MAX_ACCOUNTS
                    ? stopped(working)
                    : begin(nextName(), current.publication().request());
        }
        return rules.isRevoked(bucket, current)
                ? rules.write(
                        bucket,
                        Change.remove(current)
                                .issuing(issuing(
                                        current.account().name(),
                                        current.publication().request())))
                : rules.revoke(bucket, current);
    }

    /** The access names another Secret now. Both are in the ledger until the former one is released. */
    private Decision<Step> move(Grant current) {
        Publication publication = current.publication();
        String former = publication.formerSecret();
        return switch (inFlight().secret(publication.secret())) {
            case UserSecret.Owned owned
            when owned.has(current) ->
                rules.release(Set.of(former))
                        .orElseGet(() -> rules.write(bucket, Change.of(current.with(publication.withoutFormer()))));
            case UserSecret.Unknown(), UserSecret.Foreign() -> read(current);
            case UserSecret.Missing(), UserSecret.Owned _ -> {
                Optional<Answer> answer = rules.answer(bucket, current);
                if (answer.isPresent()) {
                    yield writeSecret(current, publication, answer.get());
                }
                yield switch (inFlight().secret(former)) {
                    case UserSecret.Unknown() -> Decision.act(new AccessStep.ReadSecret(former, ""));
                    case UserSecret.Owned owned
                    when owned.has(current) ->
                        writeSecret(current, publication, new Credentials.Copied(owned.secret()));
                    case UserSecret.Owned _, UserSecret.Missing(), UserSecret.Foreign() -> reissue(current);
                };
            }
        };
    }

    // Rotation.

    private Decision<Step> rotate(Grant current) {
        Optional<Duration> overlap = overlap();
        if (overlap.isPresent()) {
            return Decision.finish(Result.requeueAfter(overlap.get()));
        }
        return switch (requested(current)) {
            case CredentialRotation.None() -> check(current, CredentialRotation.MAX_DELAY);
            case CredentialRotation.Later(Duration delay) -> check(current, delay);
            case CredentialRotation.Invalid(Problem problem) ->
                gate().report(ReleasedReason.FAILED_ROTATE_ACCESS, problem.reason(), problem.message(), Result.done());
            case CredentialRotation.Due(String at, Duration _) -> rotate(current, at);
        };
    }

    /** Nobody watches Secrets: the one of a granted access is read now and then, so that a deleted one is written again. */
    private Decision<Step> check(Grant current, Duration atMost) {
        String name = current.publication().secret();
        boolean isKnown = !(inFlight().secret(name) instanceof UserSecret.Unknown);
        if (inFlight().checked().isEmpty() || isKnown) {
            return Decision.act(new AccessStep.Checked());
        }
        Duration passed =
                rules.observed().clock().moment().since(inFlight().checked().get());
        // Not all at once after a restart.
        Duration left = CHECK.plusSeconds(
                        Math.floorMod(access.object().getMetadata().getUid().hashCode(), SPREAD))
                .minus(passed);
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left.compareTo(atMost) < 0 ? left : atMost))
                : Decision.act(new AccessStep.ReadSecret(name, ""));
    }

    private CredentialRotation requested(Grant current) {
        Overlap overlap = permission() instanceof Permitted permitted ? permitted.overlap() : new Overlap("", "");
        return CredentialRotation.of(
                new CredentialRotation.Request(
                        Metadata.annotation(access.object(), CosiNames.ROTATE_AT),
                        current.publication().request(),
                        overlap.text(),
                        overlap.setting()),
                now());
    }

    private Decision<Step> rotate(Grant current, String at) {
        if (!(permission() instanceof Permitted permitted)) {
            return Decision.done();
        }
        Change answered = Change.of(current.with(current.publication().answering(at)));
        if (permitted.authentication() == AccountAuthentication.IAM) {
            return rules.write(
                    bucket,
                    answered,
                    warning(
                            ReleasedReason.ROTATION_NOT_SUPPORTED,
                            "authenticationType of the BucketAccessClass is IAM: the store knows the application by its"
                                    + " service account, so there are no credentials to rotate."));
        }
        if (rules.all().size() >= MAX_ACCOUNTS) {
            Optional<Grant> lost = find(State.UNCONFIRMED);
            return rules.write(
                    bucket,
                    answered,
                    warning(
                            lost.isPresent()
                                    ? ReleasedReason.FAILED_ROTATE_ACCESS
                                    : ReleasedReason.ROTATION_NOT_SUPPORTED,
                            lost.map(grant -> rules.lost(bucket, grant))
                                            .orElse("The driver returned the credentials that are in the Secret for"
                                                    + " another account before.")
                                    + stayValid(current)));
        }
        return switch (inFlight().secret(current.publication().secret())) {
            // It may not be the Secret of this access: then a second account would be of no use.
            case UserSecret.Unknown(), UserSecret.Foreign() -> read(current);
            case UserSecret.Owned _, UserSecret.Missing() -> begin(nextName(), at);
        };
    }

    String cause() {
        return gate().failure(DriverMethod.GRANT_ACCESS)
                .map(FailedAttempt::problem)
                .map(problem -> problem.message() + " ")
                .orElse("");
    }

    static String stayValid(Grant current) {
        return " Those in Secret " + current.publication().secret() + " stay valid. Another value of the annotation "
                + CosiNames.ROTATE_AT + " requests another attempt.";
    }

    /** How long a replaced account still works; empty if there is none. */
    private Optional<Duration> overlap() {
        return rules.grants(bucket)
                .filter(grant -> grant.state() == State.RETIRING)
                .flatMap(grant -> grant.until().stream())
                .map(end -> CredentialRotation.limited(Duration.between(now(), end)))
                .filter(Duration::isPositive)
                .findFirst();
    }

    /** The age of the credentials that the access has; empty if it has none. */
    Optional<CredentialAge> age() {
        boolean withoutKeys =
                permission() instanceof Permitted permitted && permitted.authentication() == AccountAuthentication.IAM;
        return withoutKeys
                ? Optional.empty()
                : find(State.PUBLISHED)
                        .filter(_ -> access.granted())
                        .map(current -> new CredentialAge(
                                current.since(), requested(current).state()));
    }

    static Step.Event warning(String reason, String note) {
        return new Step.Event(true, reason, GRANT, note);
    }

    private Optional<Grant> find(State... states) {
        return rules.grants(bucket)
                .filter(grant -> List.of(states).contains(grant.state()))
                .findFirst();
    }

    AccessState inFlight() {
        return rules.observed().inFlight();
    }

    Attempt attempt(Grant grant) {
        return rules.attempt(bucket, grant);
    }

    private AccessRotation rotation() {
        return new AccessRotation(this);
    }

    private Permission permission() {
        return rules.facts().permission();
    }

    DriverGate gate() {
        return rules.gate(bucket);
    }

    Instant now() {
        return rules.observed().now();
    }
}
