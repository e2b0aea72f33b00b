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
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The rules for a BucketAccess of {@code objectstorage.k8s.io}. Pure. */
record ReleasedAccessDecision(ReleasedAccessObservation observed, ReleasedBucketAccess access) {

    /** Access and claim are often created together: a wait is reported only after this time. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    static Decision<Step> decide(ReleasedAccessObservation observed) {
        return observed.access()
                .map(access -> new ReleasedAccessDecision(observed, access).decide())
                .orElseGet(Decision::done);
    }

    private Decision<Step> decide() {
        return Metadata.isBeingDeleted(access) ? delete() : provision();
    }

    private Decision<Step> provision() {
        Optional<Problem> tooLarge = Problem.ofSize(access);
        if (tooLarge.isPresent()) {
            return GrantConditions.of(observed, access) instanceof GrantConditions.Elsewhere
                    ? Decision.done()
                    : rotation().endOverlap(tooLarge.get());
        }
        AccountRecord accounts = observed.accounts(access);
        if (isGranted() && (observed.inFlight().granted().isEmpty() || accounts.isRotating())) {
            return rotation().decide();
        }
        return switch (GrantConditions.of(observed, access)) {
            case GrantConditions.Elsewhere() -> Decision.done();
            case GrantConditions.Waiting waiting -> waitFor(waiting);
            case GrantConditions.Rejected rejected ->
                calls().report(
                                rejected.event(),
                                rejected.reason().text(),
                                rejected.message(),
                                Result.requiresChange(rejected.message()));
            case GrantConditions.Fulfilled(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) ->
                grant(accessClass, bucket);
        };
    }

    private boolean isGranted() {
        return access.status().accessGranted()
                && !access.status().accountID().isEmpty()
                && Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER);
    }

    private Decision<Step> waitFor(GrantConditions.Waiting waiting) {
        Instant usual =
                Instant.parse(access.getMetadata().getCreationTimestamp()).plus(USUAL_WAIT);
        Duration left = Duration.between(observed.now(), usual);
        return left.isPositive()
                ? Decision.finish(Result.requeueAfter(left, USUAL_WAIT))
                : calls().report(waiting.event(), DriverMethod.GRANT_ACCESS.rpc(), waiting.message(), Result.pending());
    }

    private Decision<Step> grant(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) {
        if (!Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER)) {
            return Decision.act(new ReleasedAccessStep.AddFinalizer(access));
        }
        if (!Metadata.hasFinalizer(bucket, ReleasedNames.ACCESSED_BUCKET_FINALIZER)) {
            return Decision.act(new ReleasedAccessStep.ProtectBucket(bucket));
        }
        Optional<GrantedAccess> granted = observed.inFlight().granted();
        if (granted.isPresent()) {
            return publish(accessClass, bucket, granted.get());
        }
        AccountRecord accounts = observed.accounts(access);
        String name = ReleasedOrders.accountName(access, accounts);
        boolean unknown = access.status().accountID().isEmpty();
        if (unknown && calls().needsNextName(accounts)) {
            return Decision.act(new ReleasedAccessStep.RecordName(access, bucket, accounts.withNextName(name), name));
        }
        Optional<Result> blocked = calls().blocked(DriverMethod.GRANT_ACCESS);
        if (blocked.isPresent()) {
            return calls().reportFailure(
                            DriverMethod.GRANT_ACCESS, DriverMethod.GRANT_ACCESS.eventReason(), blocked.get());
        }
        boolean first = unknown && observed.inFlight().recordedHere();
        return first || observed.inFlight().formerRevoked()
                ? calls().call(
                                DriverMethod.GRANT_ACCESS,
                                () -> new ReleasedAccessStep.Grant(
                                        access, accessClass, bucket, name, false, calls().inputs()))
                : resume(bucket, name);
    }

    /** The id is written before the Secret: whatever happens then, the account can be revoked. */
    private Decision<Step> publish(
            ReleasedBucketAccessClass accessClass, ReleasedBucket bucket, GrantedAccess granted) {
        if (!access.status().accountID().equals(granted.accountId())) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, granted.accountId(), false, false));
        }
        if (observed.inFlight().secret() instanceof UserSecret.Owned) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, granted.accountId(), true, true));
        }
        return calls().blocked(DriverMethod.GRANT_ACCESS)
                .map(result -> calls().reportFailure(
                                DriverMethod.GRANT_ACCESS, DriverMethod.GRANT_ACCESS.eventReason(), result))
                .orElseGet(() -> Decision.act(new ReleasedAccessStep.WriteSecret(
                        access, accessClass, bucket, granted, "", calls().inputs())));
    }

    /**
     * An earlier process may have granted the access. If the Secret has the credentials, all is well. Otherwise they are
     * lost: a second grant would leave the account in the store, and some drivers cannot grant twice, so it is revoked first.
     */
    private Decision<Step> resume(ReleasedBucket bucket, String name) {
        String id =
                access.status().accountID().isEmpty() ? name : access.status().accountID();
        return switch (observed.inFlight().secret()) {
            // A foreign one may have been deleted meanwhile.
            case UserSecret.Unknown(), UserSecret.Foreign() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Owned _ -> Decision.act(new ReleasedAccessStep.WriteStatus(access, id, true, true));
            case UserSecret.Missing() -> calls().revoke(bucket.status().bucketID(), id, RevokedAccount.FORMER, true);
        };
    }

    private Decision<Step> delete() {
        if (!Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER) || !isServed()) {
            return Decision.done();
        }
        Optional<Decision<Step>> others = rotation().revokeOthers();
        if (others.isPresent()) {
            return others.get();
        }
        boolean neverGranted = access.status().accountID().isEmpty()
                && observed.inFlight().granted().isEmpty()
                && observed.inFlight().recordedHere();
        if (!neverGranted && !observed.inFlight().revoked()) {
            return revoke();
        }
        return switch (observed.inFlight().secret()) {
            case UserSecret.Unknown() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Owned(var secret) -> Decision.act(new ReleasedAccessStep.RemoveSecret(access, secret));
            case UserSecret.Missing(), UserSecret.Foreign() ->
                rotation()
                        .forgetAccounts()
                        .orElseGet(() -> Decision.act(new ReleasedAccessStep.RemoveFinalizer(access)));
        };
    }

    /** The Bucket tells the driver; without it the class; without that what was recorded. */
    private boolean isServed() {
        if (observed.bucket().isPresent()) {
            return observed.isServed(observed.bucket().get());
        }
        return observed.accessClass()
                .map(observed::isServed)
                .orElseGet(
                        () -> Metadata.annotation(access, ReleasedNames.DRIVER).equalsIgnoreCase(observed.driver()));
    }

    private Decision<Step> revoke() {
        String id = observed.inFlight()
                .granted()
                .map(GrantedAccess::accountId)
                .orElse(access.status().accountID());
        boolean unknown = id.isEmpty();
        String account = unknown ? ReleasedOrders.accountName(access, observed.accounts(access)) : id;
        String bucketId =
                observed.bucket().map(bucket -> bucket.status().bucketID()).orElse("");
        if (bucketId.isEmpty()) {
            return withoutBucket(account);
        }
        if (unknown) {
            return calls().revoke(bucketId, account, RevokedAccount.CURRENT, true);
        }
        if (observed.inFlight().failedHere()) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, account, true, false));
        }
        // Otherwise an earlier process may have revoked it.
        boolean certain = observed.inFlight().revokingHere()
                || observed.inFlight().granted().isPresent();
        return access.status().accessGranted()
                ? Decision.act(new ReleasedAccessStep.WriteStatus(access, account, false, false))
                : calls().revoke(bucketId, account, RevokedAccount.CURRENT, !certain);
    }

    /** Somebody removed the Bucket by force. It may be restored from a backup, so the account is given up late. */
    private Decision<Step> withoutBucket(String account) {
        Duration left = Duration.between(observed.now(), DriverPreconditions.graceEnd(access));
        String cause = "The Bucket of BucketClaim " + access.spec().bucketClaimName()
                + " does not exist, so the account cannot be revoked.";
        return left.isPositive()
                ? calls().report(
                                DriverMethod.REVOKE_ACCESS.eventReason(),
                                ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                                cause + " The sidecar waits until " + DriverPreconditions.graceEnd(access)
                                        + " in case the Bucket is restored.",
                                Result.requeueAfter(left, DriverPreconditions.GRACE))
                : Decision.act(new ReleasedAccessStep.SkipRevoke(access, account, RevokedAccount.CURRENT, cause));
    }

    private ReleasedAccessCalls calls() {
        return new ReleasedAccessCalls(observed, access);
    }

    private ReleasedRotationDecision rotation() {
        return new ReleasedRotationDecision(observed, access, observed.accounts(access));
    }
}
