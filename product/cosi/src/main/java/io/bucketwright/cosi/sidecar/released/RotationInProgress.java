package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.cosi.sidecar.rotation.AccountRecord;
import io.bucketwright.cosi.sidecar.rotation.CredentialRotation;
import io.bucketwright.cosi.sidecar.rotation.RecordedAccount;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.util.Optional;

/** The rules for a rotation whose begin is recorded in the Bucket. Pure. */
record RotationInProgress(
        ObservedReleasedAccess observed,
        ReleasedBucketAccess access,
        ReleasedBucketAccessClass accessClass,
        ReleasedBucket bucket,
        AccountRecord accounts) {

    /** Grants after which a rotation is given up: a driver that cannot rotate must not be called forever. */
    static final int MAX_GRANTS = 12;

    Decision<ReleasedAccessStep> decide() {
        return switch (observed.inFlight().secret()) {
            case UserSecret.Unknown() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Foreign() ->
                ReleasedAccessCalls.call(
                        observed, access, DriverMethod.GRANT_ACCESS, () -> new ReleasedAccessStep.ReadSecret(access));
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

    private Decision<ReleasedAccessStep> grant() {
        if (isWritten()) {
            // A status that does not show another account may be old.
            return end(true);
        }
        String name = ReleasedOrders.accountName(access, accounts);
        if (ReleasedAccessDecision.needsNextName(observed, accounts)) {
            return Decision.act(new ReleasedAccessStep.RecordName(access, bucket, accounts.withNextName(name), name));
        }
        Optional<FailedAttempt> failure = ReleasedAccessCalls.failure(observed, DriverMethod.GRANT_ACCESS);
        if (failure.filter(RotationInProgress::isRefusal).isPresent()) {
            return giveUp(
                    ReleasedReason.ROTATION_NOT_SUPPORTED,
                    failure.get().problem().message()
                            + " The driver cannot grant a second account, so the credentials are not rotated.",
                    accounts);
        }
        if (observed.inFlight().others().grants() >= MAX_GRANTS) {
            return giveUp(
                    ReleasedReason.FAILED_ROTATE_ACCESS,
                    failure.map(attempt -> attempt.problem().message() + " ").orElse("") + "The driver did not grant a"
                            + " second account in " + MAX_GRANTS + " attempts, so the credentials are not rotated.",
                    accounts);
        }
        Optional<Result> blocked = ReleasedAccessCalls.blocked(observed, access, DriverMethod.GRANT_ACCESS);
        if (blocked.isPresent()) {
            return report(failure, blocked.get());
        }
        boolean first = observed.inFlight().recordedHere() && !isReplaced();
        return first || observed.inFlight().formerRevoked()
                ? ReleasedAccessCalls.call(
                        observed,
                        access,
                        DriverMethod.GRANT_ACCESS,
                        () -> new ReleasedAccessStep.Grant(access, accessClass, bucket, name, true, inputs()))
                // The credentials of an earlier grant are lost: the Secret does not have them.
                : ReleasedAccessCalls.revoke(
                        observed,
                        access,
                        bucket.status().bucketID(),
                        isReplaced() ? current() : name,
                        RevokedAccount.FORMER,
                        true);
    }

    private Decision<ReleasedAccessStep> report(Optional<FailedAttempt> failure, Result result) {
        return failure.map(FailedAttempt::problem)
                .map(problem -> ReleasedAccessCalls.report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access, ReleasedReason.FAILED_ROTATE_ACCESS, problem.reason(), problem.message()),
                        result))
                .orElseGet(() -> Decision.finish(result));
    }

    /** The id is written before the Secret: whatever happens then, the account can be revoked. */
    private Decision<ReleasedAccessStep> publish(GrantedAccess granted) {
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
            AccountRecord recorded = withCurrent(accounts);
            return recorded.equals(accounts)
                    ? Decision.act(new ReleasedAccessStep.WriteStatus(access, granted.accountId(), true, false))
                    : ReleasedRotationDecision.record(access, bucket, accounts, recorded);
        }
        if (written) {
            return end(!granted.accountId().equals(accounts.replaced()));
        }
        return ReleasedAccessCalls.blocked(observed, access, DriverMethod.GRANT_ACCESS)
                .map(result -> report(ReleasedAccessCalls.failure(observed, DriverMethod.GRANT_ACCESS), result))
                .orElseGet(() -> Decision.act(new ReleasedAccessStep.WriteSecret(
                        access, accessClass, bucket, granted, accounts.rotation(), inputs())));
    }

    private boolean hasSameKey(GrantedAccess granted) {
        return observed.inFlight().secret() instanceof UserSecret.Owned(var secret)
                && BucketInfoContent.hasKey(secret, granted.credentials());
    }

    /** The record of an account in the status that is neither the replaced nor the published one. */
    private AccountRecord withCurrent(AccountRecord record) {
        return isReplaced() ? record.with(current(), RecordedAccount.State.LOST) : record;
    }

    private Decision<ReleasedAccessStep> end(boolean replaced) {
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
        Duration overlap = CredentialRotation.overlap(ReleasedRotationDecision.overlapOf(accessClass))
                .orElse(CredentialRotation.DEFAULT_OVERLAP);
        String until = observed.now().plus(overlap).toString();
        return Decision.act(new ReleasedAccessStep.EndRotation(
                access,
                bucket,
                accounts.published(until).renewedAt(observed.now()),
                ReleasedReason.ACCESS_ROTATED,
                secret + " contains new credentials. The previous ones are valid until " + until + "."));
    }

    /** The Secret and the account that it uses stay. */
    private Decision<ReleasedAccessStep> giveUp(String event, String cause, AccountRecord record) {
        if (isReplaced()) {
            AccountRecord recorded = withCurrent(accounts);
            return recorded.equals(accounts)
                    ? Decision.act(new ReleasedAccessStep.WriteStatus(access, accounts.replaced(), true, false))
                    : ReleasedRotationDecision.record(access, bucket, accounts, recorded);
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

    private String inputs() {
        return observed.preconditions().inputs(access);
    }

    /** An answer that says that a second account cannot be granted; another attempt would have the same one. */
    private static boolean isRefusal(FailedAttempt attempt) {
        String reason = attempt.problem().reason();
        return reason.equals(ProvisionerReason.ALREADY_EXISTS.text())
                || reason.equals(ProvisionerReason.UNIMPLEMENTED.text())
                || reason.equals(ProvisionerReason.INVALID_ARGUMENT.text());
    }
}
