package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.cosi.sidecar.rotation.AccountRecord;
import io.bucketwright.cosi.sidecar.rotation.CredentialRotation;
import io.bucketwright.cosi.sidecar.rotation.RecordedAccount;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
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
final class ReleasedRotationDecision {

    /** A cache may show a status that is older than the record of the Bucket, but not longer than this. */
    private static final Duration CACHE_DELAY = Duration.ofMinutes(1);

    /** The store knows the application by its service account, so there are no credentials. */
    private static final String IAM = "IAM";

    private ReleasedRotationDecision() {}

    /** What to do for an access whose credentials are published. */
    static Decision<ReleasedAccessStep> decide(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, AccountRecord accounts) {
        if (accounts.isRotating()) {
            return GrantConditions.of(observed, access)
                            instanceof GrantConditions.Fulfilled(var accessClass, ReleasedBucket bucket)
                    ? new RotationInProgress(observed, access, accessClass, bucket, accounts).decide()
                    // Its event adds the key again, or the access is deleted with its claim.
                    : Decision.done();
        }
        Optional<ReleasedBucket> bucket = observed.bucket().filter(observed::isServed);
        Optional<RecordedAccount> previous = accounts.previous();
        if (bucket.isPresent() && previous.isPresent()) {
            return overlap(observed, access, bucket.get(), accounts, previous.get());
        }
        return switch (requested(observed, access, accounts)) {
            case CredentialRotation.None() -> Decision.done();
            case CredentialRotation.Later(Duration delay) -> Decision.finish(Result.requeueAfter(delay));
            case CredentialRotation.Invalid(Problem problem) ->
                ReleasedAccessCalls.report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access, ReleasedReason.FAILED_ROTATE_ACCESS, problem.reason(), problem.message()),
                        Result.done());
            case CredentialRotation.Due(String at, Duration _) -> begin(observed, access, accounts, at);
        };
    }

    private static CredentialRotation requested(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, AccountRecord accounts) {
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
    static Optional<CredentialAge> age(ObservedReleasedAccess observed) {
        return observed.access()
                .filter(access -> access.status().accessGranted())
                .filter(_ -> observed.bucket().filter(observed::isServed).isPresent())
                .filter(_ -> observed.accessClass()
                        .filter(found -> found.getAuthenticationType().equals(IAM) || !observed.isServed(found))
                        .isEmpty())
                .map(access -> {
                    AccountRecord accounts = observed.accounts(access);
                    return CredentialAge.of(
                            access,
                            accounts.renewed(),
                            requested(observed, access, accounts).state(),
                            observed.now());
                });
    }

    static String overlapOf(ReleasedBucketAccessClass accessClass) {
        return Metadata.annotation(accessClass, ReleasedNames.ROTATION_OVERLAP);
    }

    private static Decision<ReleasedAccessStep> begin(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, AccountRecord accounts, String at) {
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
        return ReleasedAccessCalls.call(
                observed, access, DriverMethod.GRANT_ACCESS, () -> begin(observed, access, bucket, accounts, at));
    }

    private static ReleasedAccessStep begin(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucket bucket,
            AccountRecord accounts,
            String at) {
        AccountRecord started = accounts.started(at, access.status().accountID());
        return switch (observed.inFlight().secret()) {
            // It may not be the Secret of this access: then a second account would be of no use.
            case UserSecret.Unknown(), UserSecret.Foreign() -> new ReleasedAccessStep.ReadSecret(access);
            case UserSecret.Owned _, UserSecret.Missing() ->
                new ReleasedAccessStep.RecordName(access, bucket, started, "");
        };
    }

    /** Both accounts are valid, so that applications have time to read the new credentials. The next rotation waits. */
    private static Decision<ReleasedAccessStep> overlap(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucket bucket,
            AccountRecord accounts,
            RecordedAccount previous) {
        Duration left = left(observed, previous);
        if (left.isPositive()) {
            return Decision.finish(Result.requeueAfter(CredentialRotation.limited(left)));
        }
        if (previous.id().equals(access.status().accountID())) {
            // The Secret uses it: the driver issued other credentials for the same account.
            return left.plus(CACHE_DELAY).isPositive()
                    ? Decision.finish(Result.requeueAfter(left.plus(CACHE_DELAY)))
                    : record(access, bucket, accounts, accounts.without(previous.id()));
        }
        return observed.inFlight().others().revoked().contains(previous.id())
                ? record(access, bucket, accounts, accounts.without(previous.id()))
                : revoke(observed, access, bucket, accounts, accounts.revoking(previous.id()), previous);
    }

    /** Of an access that is reported and not served, an overlap that has begun still ends. */
    static Decision<ReleasedAccessStep> endOverlap(ObservedReleasedAccess observed, ReleasedAccessStep.Report report) {
        AccountRecord accounts = observed.accounts(report.access());
        Optional<ReleasedBucket> bucket = observed.bucket();
        Optional<RecordedAccount> previous = accounts.previous();
        if (accounts.isRotating() || bucket.isEmpty() || previous.isEmpty()) {
            return ReleasedAccessCalls.report(observed, report, Result.requiresChange(report.message()));
        }
        Duration left = left(observed, previous.get());
        return left.isPositive()
                ? ReleasedAccessCalls.report(observed, report, Result.requeueAfter(CredentialRotation.limited(left)))
                : overlap(observed, report.access(), bucket.get(), accounts, previous.get());
    }

    private static Duration left(ObservedReleasedAccess observed, RecordedAccount previous) {
        Instant end = CredentialRotation.overlapEnd(previous.validUntil()).orElse(Instant.EPOCH);
        return Duration.between(observed.now(), end);
    }

    /** All accounts beside the one in the status, before that one: nobody would remember them. Empty if there is none. */
    static Optional<Decision<ReleasedAccessStep>> revokeOthers(
            ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        AccountRecord accounts = observed.accounts(access);
        Optional<ReleasedBucket> bucket =
                observed.bucket().filter(found -> !found.status().bucketID().isEmpty());
        if (accounts.isEmpty() || bucket.isEmpty()) {
            return Optional.empty();
        }
        AccountRecord leaving =
                leaving(observed, access, accounts).without(access.status().accountID());
        if (!leaving.equals(accounts)) {
            return Optional.of(record(access, bucket.get(), accounts, leaving));
        }
        return accounts.others().stream()
                .filter(account -> !observed.inFlight().others().revoked().contains(account.id()))
                .findFirst()
                .map(account -> revoke(observed, access, bucket.get(), accounts, accounts, account));
    }

    /** With the account of the last grant of a rotation, which may not be in the status yet. */
    private static AccountRecord leaving(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, AccountRecord accounts) {
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
    static Optional<Decision<ReleasedAccessStep>> forgetAccounts(
            ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        AccountRecord accounts = observed.accounts(access);
        return accounts.isEmpty()
                ? Optional.empty()
                : observed.bucket().map(bucket -> record(access, bucket, accounts, AccountRecord.none()));
    }

    /**
     * Revokes an account beside the one in the status. If it exists for certain, that is recorded first: after a restart, an
     * error may be the driver's answer for an account that it has revoked.
     */
    private static Decision<ReleasedAccessStep> revoke(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucket bucket,
            AccountRecord accounts,
            AccountRecord marked,
            RecordedAccount account) {
        if (!marked.equals(accounts)) {
            return ReleasedAccessCalls.call(
                    observed,
                    access,
                    DriverMethod.REVOKE_ACCESS,
                    () -> new ReleasedAccessStep.RecordAccounts(access, bucket, marked, newlyMarked(accounts, marked)));
        }
        boolean certain = observed.inFlight().others().revoking().contains(account.id());
        return ReleasedAccessCalls.revoke(
                observed, access, bucket.status().bucketID(), account.id(), RevokedAccount.OTHER, !certain);
    }

    static Decision<ReleasedAccessStep> record(
            ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord before, AccountRecord after) {
        return Decision.act(new ReleasedAccessStep.RecordAccounts(access, bucket, after, newlyMarked(before, after)));
    }

    private static Set<String> newlyMarked(AccountRecord before, AccountRecord after) {
        Set<String> ids = new HashSet<>(after.revokingIds());
        ids.removeAll(before.revokingIds());
        return Set.copyOf(ids);
    }
}
