package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The rules for a BucketAccess of {@code objectstorage.k8s.io}. Pure. */
final class ReleasedAccessDecision {

    /** Access and claim are often created together: a wait is reported only after this time. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    private ReleasedAccessDecision() {}

    static Decision<ReleasedAccessStep> decide(ObservedReleasedAccess observed) {
        return observed.access()
                .map(access -> Metadata.isBeingDeleted(access) ? delete(observed, access) : provision(observed, access))
                .orElseGet(Decision::done);
    }

    private static Decision<ReleasedAccessStep> provision(
            ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        if (isGranted(access) && observed.inFlight().granted().isEmpty()) {
            return Decision.done();
        }
        return switch (GrantConditions.of(observed, access)) {
            case GrantConditions.Elsewhere() -> Decision.done();
            case GrantConditions.Waiting waiting -> waitFor(observed, access, waiting);
            case GrantConditions.Rejected rejected ->
                report(
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
                ? Decision.finish(Result.requeueAfter(left))
                : report(
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
        String inputs = observed.preconditions().inputs(access);
        Optional<Result> blocked = blocked(observed, DriverMethod.GRANT_ACCESS, inputs);
        if (blocked.isPresent()) {
            return reportFailure(observed, access, DriverMethod.GRANT_ACCESS, blocked.get());
        }
        boolean first =
                access.status().accountID().isEmpty() && observed.inFlight().recordedHere();
        return first || observed.inFlight().formerRevoked()
                ? call(
                        observed,
                        access,
                        DriverMethod.GRANT_ACCESS,
                        () -> new ReleasedAccessStep.Grant(access, accessClass, bucket, inputs))
                : resume(observed, access, accessClass, bucket);
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
        String inputs = observed.preconditions().inputs(access);
        return blocked(observed, DriverMethod.GRANT_ACCESS, inputs)
                .map(result -> reportFailure(observed, access, DriverMethod.GRANT_ACCESS, result))
                .orElseGet(() ->
                        Decision.act(new ReleasedAccessStep.WriteSecret(access, accessClass, bucket, granted, inputs)));
    }

    /**
     * An earlier process may have granted the access. If the Secret has the credentials, all is well. Otherwise they are
     * lost: a second grant would leave the account in the store, and some drivers cannot grant twice, so it is revoked first.
     */
    private static Decision<ReleasedAccessStep> resume(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            ReleasedBucket bucket) {
        String id = access.status().accountID().isEmpty()
                ? ReleasedOrders.accountName(access)
                : access.status().accountID();
        return switch (observed.inFlight().secret()) {
            // A foreign one may have been deleted meanwhile.
            case UserSecret.Unknown(), UserSecret.Foreign() -> Decision.act(new ReleasedAccessStep.ReadSecret(access));
            case UserSecret.Owned _ -> Decision.act(new ReleasedAccessStep.WriteStatus(access, id, true, true));
            case UserSecret.Missing() ->
                revoke(observed, access, accessClass, bucket.status().bucketID(), id, true);
        };
    }

    private static Decision<ReleasedAccessStep> delete(ObservedReleasedAccess observed, ReleasedBucketAccess access) {
        if (!Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER) || !isServed(observed, access)) {
            return Decision.done();
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
                Decision.act(new ReleasedAccessStep.RemoveFinalizer(access));
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
        String account = unknown ? ReleasedOrders.accountName(access) : id;
        String bucketId =
                observed.bucket().map(bucket -> bucket.status().bucketID()).orElse("");
        if (bucketId.isEmpty()) {
            return withoutBucket(observed, access, account);
        }
        ReleasedBucketAccessClass accessClass = observed.accessClass().orElseGet(ReleasedBucketAccessClass::new);
        if (unknown) {
            return revoke(observed, access, accessClass, bucketId, account, true);
        }
        if (observed.inFlight().failedHere()) {
            return Decision.act(new ReleasedAccessStep.WriteStatus(access, account, true, false));
        }
        // Otherwise an earlier process may have revoked it.
        boolean certain = observed.inFlight().revokingHere()
                || observed.inFlight().granted().isPresent();
        return access.status().accessGranted()
                ? Decision.act(new ReleasedAccessStep.WriteStatus(access, account, false, false))
                : revoke(observed, access, accessClass, bucketId, account, !certain);
    }

    /** Somebody removed the Bucket by force. It may be restored from a backup, so the account is given up late. */
    private static Decision<ReleasedAccessStep> withoutBucket(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, String account) {
        Duration left = Duration.between(observed.now(), DriverPreconditions.graceEnd(access));
        String cause = "The Bucket of BucketClaim " + access.spec().bucketClaimName()
                + " does not exist, so the account cannot be revoked.";
        return left.isPositive()
                ? report(
                        observed,
                        new ReleasedAccessStep.Report(
                                access,
                                DriverMethod.REVOKE_ACCESS.eventReason(),
                                ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                                cause + " The sidecar waits until " + DriverPreconditions.graceEnd(access)
                                        + " in case the Bucket is restored."),
                        Result.requeueAfter(left))
                : Decision.act(new ReleasedAccessStep.SkipRevoke(access, account, false, cause));
    }

    /**
     * Calls the driver.
     *
     * @param uncertain whether the account may not exist: then an error is the answer of some drivers, and after a few
     *     attempts the account is given up
     */
    private static Decision<ReleasedAccessStep> revoke(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            ReleasedBucketAccessClass accessClass,
            String bucketId,
            String account,
            boolean uncertain) {
        boolean former = !Metadata.isBeingDeleted(access);
        Optional<FailedAttempt> failure = failure(observed, DriverMethod.REVOKE_ACCESS)
                .filter(attempt -> uncertain
                        && attempt.attempts() >= ReleasedBucketDecision.ATTEMPTS
                        && !ReleasedBucketController.isAmbiguous(attempt.problem()));
        if (failure.isPresent()) {
            return Decision.act(new ReleasedAccessStep.SkipRevoke(
                    access, account, former, failure.get().problem().message()));
        }
        return call(
                observed,
                access,
                DriverMethod.REVOKE_ACCESS,
                () -> new ReleasedAccessStep.Revoke(
                        access,
                        accessClass,
                        bucketId,
                        account,
                        former,
                        observed.preconditions().inputs(access)));
    }

    private static Decision<ReleasedAccessStep> call(
            ObservedReleasedAccess observed,
            ReleasedBucketAccess access,
            DriverMethod method,
            Supplier<ReleasedAccessStep> step) {
        Optional<Result> blocked =
                blocked(observed, method, observed.preconditions().inputs(access));
        if (blocked.isPresent()) {
            return reportFailure(observed, access, method, blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // Its end adds the key again.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .driverProblem()
                .map(problem -> report(observed, report(access, method, problem), Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    private static Optional<Result> blocked(ObservedReleasedAccess observed, DriverMethod method, String inputs) {
        return failure(observed, method)
                .flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs, observed.now()));
    }

    private static Optional<FailedAttempt> failure(ObservedReleasedAccess observed, DriverMethod method) {
        return observed.failure().filter(attempt -> attempt.operation().equals(method));
    }

    private static Decision<ReleasedAccessStep> reportFailure(
            ObservedReleasedAccess observed, ReleasedBucketAccess access, DriverMethod method, Result result) {
        return failure(observed, method)
                .map(attempt -> report(observed, report(access, method, attempt.problem()), result))
                .orElseGet(() -> Decision.finish(result));
    }

    private static ReleasedAccessStep.Report report(ReleasedBucketAccess access, DriverMethod method, Problem problem) {
        return new ReleasedAccessStep.Report(access, method.eventReason(), problem.reason(), problem.message());
    }

    /** Sends the event unless it was the last one, then finishes with the result. */
    private static Decision<ReleasedAccessStep> report(
            ObservedReleasedAccess observed, ReleasedAccessStep.Report event, Result result) {
        return observed.inFlight().reported().equals(event.text()) ? Decision.finish(result) : Decision.act(event);
    }
}
