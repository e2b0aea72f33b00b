package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.CredentialRotation;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for the accounts of a BucketAccess beside the one in its status: a rotation grants a second account, publishes
 * its credentials, and revokes the first one after the overlap. Pure.
 *
 * <p>Each account is recorded before it can be forgotten: the name before the grant, the replaced id before the status
 * has another one. An account that the Secret may use is not revoked.
 */
record ReleasedRotationDecision(
        ReleasedAccessObservation observed, ReleasedBucketAccess access, AccountRecord accounts) {

    /** A cache may show a status that is older than the record of the Bucket, but not longer than this. */
    private static final Duration CACHE_DELAY = Duration.ofMinutes(1);

    /** Grants after which a rotation is given up: a driver that cannot rotate must not be called forever. */
    static final int MAX_GRANTS = 12;

    /** The store knows the application by its service account, so there are no credentials. */
    private static final String IAM = "IAM";

    /** What to do for an access whose credentials are published. */
    Decision<Step> decide() {
        if (accounts.isRotating()) {
            return GrantConditions.of(observed, access)
                            instanceof GrantConditions.Fulfilled(var accessClass, ReleasedBucket bucket)
                    ? new InProgress(observed, access, accessClass, bucket, accounts).decide()
                    // Its event adds the key again, or the access is deleted with its claim.
                    : Decision.done();
        }
        Optional<ReleasedBucket> bucket = observed.bucket().filter(observed::isServed);
        Optional<RecordedAccount> previous = accounts.previous();
        if (bucket.isPresent() && previous.isPresent()) {
            return overlap(bucket.get(), previous.get());
        }
        return switch (requested()) {
            case CredentialRotation.None() -> Decision.done();
            case CredentialRotation.Later(Duration delay) -> Decision.finish(Result.requeueAfter(delay));
            case CredentialRotation.Invalid(Problem problem) ->
                calls().report(ReleasedReason.FAILED_ROTATE_ACCESS, problem, Result.done());
            case CredentialRotation.Due(String at, Duration _) -> begin(at);
        };
    }

    private CredentialRotation requested() {
        return CredentialRotation.of(
                new CredentialRotation.Request(
                        Metadata.annotation(access, CosiNames.ROTATE_AT),
                        accounts.handled(),
                        observed.accessClass()
                                .map(ReleasedRotationDecision::overlapOf)
                                .orElse(""),
                        "The annotation " + ReleasedNames.ROTATION_OVERLAP),
                observed.now());
    }

    /** The age of the credentials that the access has; empty if this driver has not issued any. */
    static Optional<CredentialAge> age(ReleasedAccessObservation observed) {
        return observed.access()
                .filter(access -> access.status().accessGranted())
                .filter(_ -> observed.bucket().filter(observed::isServed).isPresent())
                .filter(_ -> observed.accessClass()
                        .filter(found -> found.getAuthenticationType().equals(IAM) || !observed.isServed(found))
                        .isEmpty())
                .map(access -> new ReleasedRotationDecision(observed, access, observed.accounts(access)).age());
    }

    private CredentialAge age() {
        return CredentialAge.of(access, accounts.renewed(), requested().state(), observed.now());
    }

    static String overlapOf(ReleasedBucketAccessClass accessClass) {
        return Metadata.annotation(accessClass, ReleasedNames.ROTATION_OVERLAP);
    }

    private Decision<Step> begin(String at) {
        if (!(GrantConditions.of(observed, access)
                instanceof GrantConditions.Fulfilled(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket))) {
            return Decision.done();
        }
        if (accessClass.getAuthenticationType().equals(IAM)) {
            return Decision.act(new ReleasedAccessStep.EndRotation(
                    access,
                    bucket,
                    accounts.refused(at),
                    ReleasedReason.ROTATION_NOT_SUPPORTED,
                    "authenticationType of the BucketAccessClass is IAM: the store knows the application by its service"
                            + " account, so there are no credentials to rotate."));
        }
        return calls().call(DriverMethod.GRANT_ACCESS, () -> begin(bucket, at));
    }

    private ReleasedAccessStep begin(ReleasedBucket bucket, String at) {
        AccountRecord started = accounts.started(at, access.status().accountID());
        return switch (observed.inFlight().secret()) {
            // It may not be the Secret of this access: then a second account would be of no use.
            case UserSecret.Unknown(), UserSecret.Foreign() -> new ReleasedAccessStep.ReadSecret(access);
            case UserSecret.Owned _, UserSecret.Missing() ->
                new ReleasedAccessStep.RecordName(access, bucket, started, "");
        };
    }

    /** Both accounts are valid, so that applications have time to read the new credentials. The next rotation waits. */
    private Decision<Step> overlap(ReleasedBucket bucket, RecordedAccount previous) {
        Duration left = left(previous);
        if (left.isPositive()) {
            return Decision.finish(Result.requeueAfter(CredentialRotation.limited(left)));
        }
        if (previous.id().equals(access.status().accountID())) {
            // The Secret uses it: the driver issued other credentials for the same account.
            return left.plus(CACHE_DELAY).isPositive()
                    ? Decision.finish(Result.requeueAfter(left.plus(CACHE_DELAY)))
                    : record(bucket, accounts.without(previous.id()));
        }
        return observed.inFlight().others().revoked().contains(previous.id())
                ? record(bucket, accounts.without(previous.id()))
                : revoke(bucket, accounts.revoking(previous.id()), previous);
    }

    /** Of an access that is reported and not served, an overlap that has begun still ends. */
    Decision<Step> endOverlap(Problem problem) {
        Optional<ReleasedBucket> bucket = observed.bucket();
        Optional<RecordedAccount> previous = accounts.previous();
        if (accounts.isRotating() || bucket.isEmpty() || previous.isEmpty()) {
            return report(problem, Result.requiresChange(problem.message()));
        }
        Duration left = left(previous.get());
        return left.isPositive()
                ? report(problem, Result.requeueAfter(CredentialRotation.limited(left)))
                : overlap(bucket.get(), previous.get());
    }

    private Decision<Step> report(Problem problem, Result result) {
        return calls().report(problem.reason(), DriverMethod.GRANT_ACCESS.rpc(), problem.message(), result);
    }

    private Duration left(RecordedAccount previous) {
        Instant end = CredentialRotation.overlapEnd(previous.validUntil()).orElse(Instant.EPOCH);
        return Duration.between(observed.now(), end);
    }

    /** All accounts beside the one in the status, before that one: nobody would remember them. Empty if there is none. */
    Optional<Decision<Step>> revokeOthers() {
        Optional<ReleasedBucket> bucket =
                observed.bucket().filter(found -> !found.status().bucketID().isEmpty());
        if (accounts.isEmpty() || bucket.isEmpty()) {
            return Optional.empty();
        }
        AccountRecord leaving = leaving().without(access.status().accountID());
        if (!leaving.equals(accounts)) {
            return Optional.of(record(bucket.get(), leaving));
        }
        return accounts.others().stream()
                .filter(account -> !observed.inFlight().others().revoked().contains(account.id()))
                .findFirst()
                .map(account -> revoke(bucket.get(), accounts, account));
    }

    /** With the account of the last grant of a rotation, which may not be in the status yet. */
    private AccountRecord leaving() {
        if (!accounts.isRotating()) {
            return accounts.leaving();
        }
        Optional<GrantedAccess> granted = observed.inFlight().granted();
        if (granted.isPresent()) {
            return accounts.with(granted.get().accountId(), RecordedAccount.State.UNUSED)
                    .leaving();
        }
        boolean lost = accounts.replaced().equals(access.status().accountID())
                && !observed.inFlight().recordedHere();
        return lost
                ? accounts.leaving().with(ReleasedOrders.accountName(access, accounts), RecordedAccount.State.LOST)
                : accounts.leaving();
    }

    /** Removes the record of an access that is deleted, after its accounts. */
    Optional<Decision<Step>> forgetAccounts() {
        return accounts.isEmpty()
                ? Optional.empty()
                : observed.bucket().map(bucket -> record(bucket, AccountRecord.NONE));
    }

    /**
     * Revokes an account beside the one in the status. If it exists for certain, that is recorded first: after a restart, an
     * error may be the driver's answer for an account that it has revoked.
     */
    private Decision<Step> revoke(ReleasedBucket bucket, AccountRecord marked, RecordedAccount account) {
        if (!marked.equals(accounts)) {
            return calls().call(DriverMethod.REVOKE_ACCESS, () -> recording(bucket, marked));
        }
        boolean certain = observed.inFlight().others().revoking().contains(account.id());
        return calls().revoke(bucket.status().bucketID(), account.id(), RevokedAccount.OTHER, !certain);
    }

    private Decision<Step> record(ReleasedBucket bucket, AccountRecord after) {
        return Decision.act(recording(bucket, after));
    }

    /** Records these accounts instead. */
    ReleasedAccessStep recording(ReleasedBucket bucket, AccountRecord after) {
        Set<String> marked = new HashSet<>(after.revokingIds());
        marked.removeAll(accounts.revokingIds());
        return new ReleasedAccessStep.RecordAccounts(access, bucket, after, Set.copyOf(marked));
    }

    private ReleasedAccessCalls calls() {
        return new ReleasedAccessCalls(observed, access);
    }

    /** A rotation whose begin is recorded in the Bucket. */
    private record InProgress(
            ReleasedAccessObservation observed,
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket,
            AccountRecord accounts) {

        Decision<Step> decide() {
            return switch (observed.inFlight().secret()) {
                case UserSecret.Unknown() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
                case UserSecret.Foreign() ->
                    calls().call(DriverMethod.GRANT_ACCESS, () -> new ReleasedAccessStep.ReadSecret(access));
                case UserSecret.Owned _, UserSecret.Missing() ->
                    observed.inFlight().granted().map(this::publish).orElseGet(this::grant);
            };
        }

        /** Whether the Secret contains the credentials of this rotation. */
        private boolean isWritten() {
            return observed.inFlight().secret() instanceof UserSecret.Owned(var secret)
                    && Metadata.annotation(secret, CosiNames.ROTATED_AT).equals(accounts.rotation());
        }

        private String current() {
            return access.status().accountID();
        }

        private boolean isReplaced() {
            return !current().equals(accounts.replaced());
        }

        private Decision<Step> grant() {
            if (isWritten()) {
                // A status that does not show another account may be old.
                return end(true);
            }
            String name = ReleasedOrders.accountName(access, accounts);
            if (calls().needsNextName(accounts)) {
                return Decision.act(
                        new ReleasedAccessStep.RecordName(access, bucket, accounts.withNextName(name), name));
            }
            Optional<FailedAttempt> failure = calls().failure(DriverMethod.GRANT_ACCESS);
            if (failure.filter(InProgress::isRefusal).isPresent()) {
                return giveUp(
                        ReleasedReason.ROTATION_NOT_SUPPORTED,
                        failure.get().problem().message()
                                + " The driver cannot grant a second account, so the credentials are not rotated.",
                        accounts);
            }
            if (observed.inFlight().others().grants() >= MAX_GRANTS) {
                return giveUp(
                        ReleasedReason.FAILED_ROTATE_ACCESS,
                        failure.map(attempt -> attempt.problem().message() + " ")
                                        .orElse("") + "The driver did not grant a second account in " + MAX_GRANTS
                                + " attempts, so the credentials are not rotated.",
                        accounts);
            }
            Optional<Result> blocked = calls().blocked(DriverMethod.GRANT_ACCESS);
            if (blocked.isPresent()) {
                return calls().reportFailure(
                                DriverMethod.GRANT_ACCESS, ReleasedReason.FAILED_ROTATE_ACCESS, blocked.get());
            }
            boolean first = observed.inFlight().recordedHere() && !isReplaced();
            return first || observed.inFlight().formerRevoked()
                    ? calls().call(
                                    DriverMethod.GRANT_ACCESS,
                                    () -> new ReleasedAccessStep.Grant(
                                            access, accessClass, bucket, name, true, inputs()))
                    // The credentials of an earlier grant are lost: the Secret does not have them.
                    : calls().revoke(
                                    bucket.status().bucketID(),
                                    isReplaced() ? current() : name,
                                    RevokedAccount.FORMER,
                                    true);
        }

        /** The id is written before the Secret: whatever happens then, the account can be revoked. */
        private Decision<Step> publish(GrantedAccess granted) {
            boolean written = isWritten();
            if (!written && hasSameKey(granted)) {
                return giveUp(
                        ReleasedReason.ROTATION_NOT_SUPPORTED,
                        "The driver returned the credentials that are in the Secret, so they cannot be rotated.",
                        granted.accountId().equals(accounts.replaced())
                                ? accounts
                                : accounts.with(granted.accountId(), RecordedAccount.State.UNUSED));
            }
            if (!current().equals(granted.accountId())) {
                return writeId(granted.accountId());
            }
            if (written) {
                return end(!granted.accountId().equals(accounts.replaced()));
            }
            return calls().blocked(DriverMethod.GRANT_ACCESS)
                    .map(result -> calls().reportFailure(
                                    DriverMethod.GRANT_ACCESS, ReleasedReason.FAILED_ROTATE_ACCESS, result))
                    .orElseGet(() -> Decision.act(new ReleasedAccessStep.WriteSecret(
                            access, accessClass, bucket, granted, accounts.rotation(), inputs())));
        }

        private boolean hasSameKey(GrantedAccess granted) {
            return observed.inFlight().secret() instanceof UserSecret.Owned(var secret)
                    && BucketInfoContent.hasKey(secret, granted.credentials());
        }

        /** An account in the status that is neither the replaced nor the published one is recorded first. */
        private Decision<Step> writeId(String id) {
            AccountRecord recorded = isReplaced() ? accounts.with(current(), RecordedAccount.State.LOST) : accounts;
            return Decision.act(
                    recorded.equals(accounts)
                            ? new ReleasedAccessStep.WriteStatus(access, id, true, false)
                            : new ReleasedRotationDecision(observed, access, accounts).recording(bucket, recorded));
        }

        private Decision<Step> end(boolean replaced) {
            String secret = "Secret " + access.spec().credentialsSecretName();
            if (!replaced) {
                return Decision.act(new ReleasedAccessStep.EndRotation(
                        access,
                        bucket,
                        accounts.ended().renewedAt(observed.now()),
                        ReleasedReason.ROTATION_NOT_SUPPORTED,
                        secret + " contains new credentials, but the driver issued them for the same account. If the"
                                + " previous ones are still valid, they cannot be revoked before the BucketAccess is"
                                + " deleted."));
            }
            Duration overlap =
                    CredentialRotation.overlap(overlapOf(accessClass)).orElse(CredentialRotation.DEFAULT_OVERLAP);
            String until = observed.now().plus(overlap).toString();
            return Decision.act(new ReleasedAccessStep.EndRotation(
                    access,
                    bucket,
                    accounts.published(until).renewedAt(observed.now()),
                    ReleasedReason.ACCESS_ROTATED,
                    secret + " contains new credentials. The previous ones are valid until " + until + "."));
        }

        /** The Secret and the account that it uses stay. */
        private Decision<Step> giveUp(String event, String cause, AccountRecord record) {
            if (isReplaced()) {
                return writeId(accounts.replaced());
            }
            boolean mayExist = !observed.inFlight().recordedHere()
                    && observed.inFlight().granted().isEmpty();
            AccountRecord ended = mayExist
                    ? record.with(ReleasedOrders.accountName(access, accounts), RecordedAccount.State.LOST)
                    : record;
            return Decision.act(new ReleasedAccessStep.EndRotation(
                    access,
                    bucket,
                    ended.ended(),
                    event,
                    cause + " Those in Secret " + access.spec().credentialsSecretName()
                            + " stay valid. Another value of the annotation " + CosiNames.ROTATE_AT
                            + " requests another attempt."));
        }

        private ReleasedAccessCalls calls() {
            return new ReleasedAccessCalls(observed, access);
        }

        private String inputs() {
            return calls().inputs();
        }

        /** An answer that says that a second account cannot be granted; another attempt would have the same one. */
        private static boolean isRefusal(FailedAttempt attempt) {
            String reason = attempt.problem().reason();
            return reason.equals(ProvisionerReason.ALREADY_EXISTS.text())
                    || reason.equals(ProvisionerReason.UNIMPLEMENTED.text())
                    || reason.equals(ProvisionerReason.INVALID_ARGUMENT.text());
        }
    }
}
