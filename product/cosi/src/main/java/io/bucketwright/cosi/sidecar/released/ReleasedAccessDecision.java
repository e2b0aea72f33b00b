package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.released.ReleasedAccessStep.RevokedAccount;
import io.bucketwright.cosi.sidecar.rotation.AccountRecord;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The rules for a BucketAccess of {@code objectstorage.k8s.io}. Pure. */
final class ReleasedAccessDecision {

    /** Access and claim are often created together: a wait is reported only after this time. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    /** Names that are given up for an access: a driver that loses every answer must not fill the store with accounts. */
    static final int MAX_LOST = 3;

    private ReleasedAccessDecision() {}

    static Decision<ReleasedAccessStep> decide(ObservedReleasedAccess observed) {
        return observed.access()
                .map(access -> Metadata.isBeingDeleted(access) ? delete(observed, access) : provision(observed, access))
                .orElseGet(Decision::done);
    }

    private static Decision<ReleasedAccessStep> provision(
            ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        Optional<Problem> tooLarge = Problem.ofSize(access);
        if (tooLarge.isPresent()) {
            return GrantConditions.of(observed, access) instanceof GrantConditions.Elsewhere
                    ? Decision.done()
                    : ReleasedRotationDecision.endOverlap(
                            observed,
                            new ReleasedAccessStep.Report(
                                    access,
                                    tooLarge.get().reason(),
                                    DriverMethod.GRANT_ACCESS.rpc(),
                                    tooLarge.get().message()));
        }
        AccountRecord accounts = observed.accounts(access);
        if (isGranted(access) && (observed.inFlight().granted().isEmpty() || accounts.isRotating())) {
            return ReleasedRotationDecision.decide(observed, access, accounts);
        }
        return switch (GrantConditions.of(observed, access)) {
            case GrantConditions.Elsewhere() -> Decision.done();
            case GrantConditions.Waiting waiting -> waitFor(observed, access, waiting);
            case GrantConditions.Rejected rejected ->
                ReleasedAccessCalls.report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access, rejected.event(), rejected.reason().text(), rejected.message()),
                        Result.requiresChange(rejected.message()));
            case GrantConditions.Fulfilled(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) ->
                grant(observed, access, accessClass, bucket);
        };
    }

    private static boolean isGranted(ReleasedBucketAccess access) {
        return access.status().accessGranted()
                && !access.status().accountID().isEmpty()
                && Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER);
    }

    private static Decision<ReleasedAccessStep> waitFor(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, GrantConditions.Waiting waiting) {
        Instant usual =
                Instant.parse(access.getMetadata().getCreationTimestamp()).plus(USUAL_WAIT);
        Duration left = Duration.between(observed.now(), usual);
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left, USUAL_WAIT))
                : ReleasedAccessCalls.report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access, waiting.event(), DriverMethod.GRANT_ACCESS.rpc(), waiting.message()),
                        Result.pending());
    }

    private static Decision<ReleasedAccessStep> grant(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket) {
        if (!Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER)) {
            return Decision.act(new ReleasedAccessStep.AddFinalizer(access));
        }
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.ACCESSED_BUCKET_FINALIZER)) {
            return Decision.act(new ReleasedAccessStep.ProtectBucket(bucket));
        }
        Optional<GrantedAccess> granted = observed.inFlight().granted();
        if (granted.isPresent()) {
            return publish(observed, access, accessClass, bucket, granted.get());
        }
        AccountRecord accounts = observed.accounts(access);
        String name = ReleasedOrders.accountName(access, accounts);
        boolean unknown = access.status().accountID().isEmpty();
        if (unknown && needsNextName(observed, accounts)) {
            return Decision.act(new ReleasedAccessStep.RecordName(access, bucket, accounts.withNextName(name), name));
        }
        Optional<Result> blocked = ReleasedAccessCalls.blocked(observed, access, DriverMethod.GRANT_ACCESS);
        if (blocked.isPresent()) {
            return ReleasedAccessCalls.reportFailure(observed, access, DriverMethod.GRANT_ACCESS, blocked.get());
        }
        boolean first = unknown && observed.inFlight().recordedHere();
        return first || observed.inFlight().formerRevoked()
                ? ReleasedAccessCalls.call(
                        observed,
                        access,
                        DriverMethod.GRANT_ACCESS,
                        () -> new ReleasedAccessStep.Grant(
                                access,
                                accessClass,
                                bucket,
                                name,
                                false,
                                observed.preconditions().inputs(access)))
                : resume(observed, access, bucket, name);
    }

    /**
     * Whether an answer of the driver was lost, and it does not grant access by the same name again. Some drivers find the
     * account of that grant by an id only, which nobody knows.
     */
    static boolean needsNextName(ObservedReleasedAccess observed, AccountRecord accounts) {
        return !observed.inFlight().recordedHere()
                && observed.inFlight().formerRevoked()
                && accounts.lost() < MAX_LOST
                && ReleasedAccessCalls.failure(observed, DriverMethod.GRANT_ACCESS)
                        .filter(ReleasedAccessDecision::isRefusedAgain)
                        .isPresent();
    }

    /** An internal error may also be an outage, so that it counts only if it stays. */
    private static boolean isRefusedAgain(FailedAttempt attempt) {
        String reason = attempt.problem().reason();
        return reason.equals(ProvisionerReason.ALREADY_EXISTS.text())
                || (reason.equals(ProvisionerReason.INTERNAL_ERROR.text())
                        && attempt.attempts() >= ReleasedBucketDecision.ATTEMPTS);
    }

    /** The id is written before the Secret: whatever happens then, the account can be revoked. */
    private static Decision<ReleasedAccessStep> publish(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket,
            GrantedAccess granted) {
        if (!access.status().accountID().equals(granted.accountId())) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, granted.accountId(), false, false));
        }
        if (observed.inFlight().secret() instanceof UserSecret.Owned) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, granted.accountId(), true, true));
        }
        return ReleasedAccessCalls.blocked(observed, access, DriverMethod.GRANT_ACCESS)
                .map(result -> ReleasedAccessCalls.reportFailure(observed, access, DriverMethod.GRANT_ACCESS, result))
                .orElseGet(() -> Decision.act(new ReleasedAccessStep.WriteSecret(
                        access,
                        accessClass,
                        bucket,
                        granted,
                        "",
                        observed.preconditions().inputs(access))));
    }

    /**
     * An earlier process may have granted the access. If the Secret has the credentials, all is well. Otherwise they are
     * lost: a second grant would leave the account in the store, and some drivers cannot grant twice, so it is revoked first.
     */
    private static Decision<ReleasedAccessStep> resume(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, ReleasedBucket bucket, String name) {
        String id =
                access.status().accountID().isEmpty() ? name : access.status().accountID();
        return switch (observed.inFlight().secret()) {
            // A foreign one may have been deleted meanwhile.
            case UserSecret.Unknown(), UserSecret.Foreign() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Owned _ -> Decision.act(new ReleasedAccessStep.WriteStatus(access, id, true, true));
            case UserSecret.Missing() ->
                ReleasedAccessCalls.revoke(
                        observed, access, bucket.status().bucketID(), id, RevokedAccount.FORMER, true);
        };
    }

    private static Decision<ReleasedAccessStep> delete(ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        if (!Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER) || !isServed(observed, access)) {
            return Decision.done();
        }
        Optional<Decision<ReleasedAccessStep>> others = ReleasedRotationDecision.revokeOthers(observed, access);
        if (others.isPresent()) {
            return others.get();
        }
        boolean neverGranted = access.status().accountID().isEmpty()
                && observed.inFlight().granted().isEmpty()
                && observed.inFlight().recordedHere();
        if (!neverGranted && !observed.inFlight().revoked()) {
            return revoke(observed, access);
        }
        return switch (observed.inFlight().secret()) {
            case UserSecret.Unknown() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Owned(var secret) -> Decision.act(new ReleasedAccessStep.RemoveSecret(access, secret));
            case UserSecret.Missing(), UserSecret.Foreign() ->
                ReleasedRotationDecision.forgetAccounts(observed, access)
                        .orElseGet(() -> Decision.act(new ReleasedAccessStep.RemoveFinalizer(access)));
        };
    }

    /** The Bucket tells the driver; without it the class; without that what was recorded. */
    private static boolean isServed(ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        if (observed.bucket().isPresent()) {
            return observed.isServed(observed.bucket().get());
        }
        return observed.accessClass()
                .map(observed::isServed)
                .orElseGet(
                        () -> Metadata.annotation(access, ReleasedNames.DRIVER).equalsIgnoreCase(observed.driver()));
    }

    private static Decision<ReleasedAccessStep> revoke(ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        String id = observed.inFlight()
                .granted()
                .map(GrantedAccess::accountId)
                .orElse(access.status().accountID());
        boolean unknown = id.isEmpty();
        String account = unknown ? ReleasedOrders.accountName(access, observed.accounts(access)) : id;
        String bucketId =
                observed.bucket().map(bucket -> bucket.status().bucketID()).orElse("");
        if (bucketId.isEmpty()) {
            return withoutBucket(observed, access, account);
        }
        if (unknown) {
            return ReleasedAccessCalls.revoke(observed, access, bucketId, account, RevokedAccount.CURRENT, true);
        }
        if (observed.inFlight().failedHere()) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, account, true, false));
        }
        // Otherwise an earlier process may have revoked it.
        boolean certain = observed.inFlight().revokingHere()
                || observed.inFlight().granted().isPresent();
        return access.status().accessGranted()
                ? Decision.act(new ReleasedAccessStep.WriteStatus(access, account, false, false))
                : ReleasedAccessCalls.revoke(observed, access, bucketId, account, RevokedAccount.CURRENT, !certain);
    }

    /** Somebody removed the Bucket by force. It may be restored from a backup, so the account is given up late. */
    private static Decision<ReleasedAccessStep> withoutBucket(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, String account) {
        Duration left = Duration.between(observed.now(), DriverPreconditions.graceEnd(access));
        String cause = "The Bucket of BucketClaim " + access.spec().bucketClaimName()
                + " does not exist, so the account cannot be revoked.";
        return left.isPositive()
                ? ReleasedAccessCalls.report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access,
                                DriverMethod.REVOKE_ACCESS.eventReason(),
                                ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                                cause + " The sidecar waits until " + DriverPreconditions.graceEnd(access)
                                        + " in case the Bucket is restored."),
                        Result.requeueAfter(left, DriverPreconditions.GRACE))
                : Decision.act(new ReleasedAccessStep.SkipRevoke(access, account, RevokedAccount.CURRENT, cause));
    }
}
