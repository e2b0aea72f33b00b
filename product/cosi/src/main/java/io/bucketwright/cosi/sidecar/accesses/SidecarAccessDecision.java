package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.CosiOrders;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.rotation.CredentialRotation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules for a BucketAccess. Pure. */
final class SidecarAccessDecision {

    private SidecarAccessDecision() {}

    static Decision<SidecarAccessStep> decide(ObservedAccess observed) {
        return observed.access()
                .map(access -> Metadata.isBeingDeleted(access) ? delete(observed, access) : provision(observed, access))
                .orElseGet(Decision::done);
    }

    private static Decision<SidecarAccessStep> provision(ObservedAccess observed, BucketAccess access) {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return Decision.act(new SidecarAccessStep.AddFinalizer(access));
        }
        return observed.secret()
                .map(secret -> Metadata.isBeingDeleted(secret)
                        ? replaceSecret(observed, access, secret)
                        : granted(observed, access, secret))
                .orElseGet(() -> notGranted(observed, access));
    }

    /** Somebody deletes the Secret of an access that stays: the next Secret gets the same credentials. */
    private static Decision<SidecarAccessStep> replaceSecret(
            ObservedAccess observed, BucketAccess access, Secret secret) {
        return observed.inFlight().credentials().isEmpty()
                ? Decision.act(new SidecarAccessStep.KeepCredentials(access, secret))
                : Decision.act(new SidecarAccessStep.ReleaseSecret(access, secret));
    }

    private static Decision<SidecarAccessStep> granted(ObservedAccess observed, BucketAccess access, Secret secret) {
        Optional<IssuedCredentials> issued = observed.inFlight().credentials();
        if (issued.isPresent()) {
            // The grant may have ended the credentials in the Secret, whichever rotation it shows by now.
            return publish(observed, access, secret, issued.get());
        }
        Optional<Instant> overlapEnd = RequestedRotation.overlapEnd(secret);
        if (overlapEnd.isPresent()) {
            return overlapping(observed, access, secret, overlapEnd.get());
        }
        return switch (RequestedRotation.of(access, secret, observed.now())) {
            case CredentialRotation.None() -> clearReport(access, Result.done());
            case CredentialRotation.Later(Duration delay) -> clearReport(access, Result.requeueAfter(delay));
            case CredentialRotation.Invalid(Problem problem) ->
                report(access, DriverMethod.GRANT_ACCESS, problem, Result.done());
            case CredentialRotation.Due(String at, Duration overlap) ->
                grant(
                        observed,
                        access,
                        new SidecarAccessStep.Grant(otherAccount(secret, access), at, Optional.of(overlap)));
        };
    }

    private static Decision<SidecarAccessStep> publish(
            ObservedAccess observed, BucketAccess access, Secret secret, IssuedCredentials issued) {
        String inputs = inputs(observed, access, issued.account());
        return blocked(observed, DriverMethod.GRANT_ACCESS, inputs)
                .map(result -> report(
                        access,
                        DriverMethod.GRANT_ACCESS,
                        observed.failure().get().problem(),
                        result))
                .orElseGet(() ->
                        Decision.act(new SidecarAccessStep.WriteSecret(access, Optional.of(secret), issued, inputs)));
    }

    /** Both accounts are valid, so that applications have time to read the new credentials. The next rotation waits. */
    private static Decision<SidecarAccessStep> overlapping(
            ObservedAccess observed, BucketAccess access, Secret secret, Instant end) {
        Duration left = Duration.between(observed.now(), end);
        if (left.isPositive()) {
            return clearReport(access, Result.requeueAfter(CredentialRotation.limited(left)));
        }
        String previous = otherAccount(secret, access);
        return observed.inFlight().revoked().contains(previous)
                ? Decision.act(new SidecarAccessStep.EndOverlap(access, secret))
                : revoke(observed, access, previous);
    }

    /** The account whose credentials the Secret contains. */
    static String accountIn(Secret secret, BucketAccess access) {
        return Metadata.annotation(secret, CosiNames.ACCOUNT).equals(access.secondAccount())
                ? access.secondAccount()
                : access.account();
    }

    private static String otherAccount(Secret secret, BucketAccess access) {
        return accountIn(secret, access).equals(access.account()) ? access.secondAccount() : access.account();
    }

    /** The id by which the driver revokes the account: the Secret records it, if it is not the name. */
    private static String accountId(ObservedAccess observed, BucketAccess access, String account) {
        return observed.secret()
                .map(secret -> accountIn(secret, access).equals(account)
                        ? DriverIds.of(secret).account()
                        : DriverIds.of(secret).previousAccount())
                .filter(id -> !id.isEmpty())
                .orElse(account);
    }

    /** Every account that may exist in the store: the second one only after a rotation was requested. */
    private static List<String> accounts(BucketAccess access, Optional<Secret> secret) {
        boolean rotated = !Metadata.annotation(access, CosiNames.ROTATE_AT).isEmpty()
                || secret.filter(found ->
                                !Metadata.annotation(found, CosiNames.ACCOUNT).isEmpty())
                        .isPresent();
        return rotated ? List.of(access.account(), access.secondAccount()) : List.of(access.account());
    }

    private static Decision<SidecarAccessStep> notGranted(ObservedAccess observed, BucketAccess access) {
        if (observed.inFlight().credentials().isEmpty() && mayHaveSecret(observed, access)) {
            // Granting again would end the credentials that pods use; a removed label is not a deletion.
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        // Whichever account a lost Secret was about, the second one is not in use after this.
        boolean rotated = accounts(access, Optional.empty()).size() > 1;
        boolean due = RequestedRotation.withoutSecret(access, observed.now()) instanceof CredentialRotation.Due;
        return grant(
                observed,
                access,
                new SidecarAccessStep.Grant(
                        access.account(),
                        due ? Metadata.annotation(access, CosiNames.ROTATE_AT) : "",
                        rotated ? Optional.of(Duration.ZERO) : Optional.empty()));
    }

    /** Whether a Secret was written that the cache does not show. */
    private static boolean mayHaveSecret(ObservedAccess observed, BucketAccess access) {
        return access.phase().filter(phase -> phase == BucketAccessPhase.BOUND).isPresent()
                && !observed.inFlight().secretIsMissing();
    }

    private static Decision<SidecarAccessStep> grant(
            ObservedAccess observed, BucketAccess access, SidecarAccessStep.Grant grant) {
        Optional<Bucket> ready = observed.bucket()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket))
                .filter(bucket -> bucket.provisioned());
        if (ready.isEmpty()) {
            // The Bucket's own events wake this key.
            return Decision.done();
        }
        String inputs = inputs(observed, access, grant.account());
        Optional<IssuedCredentials> issued = observed.inFlight().credentials();
        if (issued.isPresent()
                && blocked(observed, DriverMethod.GRANT_ACCESS, inputs).isEmpty()) {
            return Decision.act(new SidecarAccessStep.WriteSecret(access, observed.secret(), issued.get(), inputs));
        }
        return protocolMismatch(access, ready.get())
                .map(problem -> report(access, DriverMethod.GRANT_ACCESS, problem, Result.done()))
                .orElseGet(
                        () -> call(observed, access, DriverMethod.GRANT_ACCESS, CosiOrders.bucket(ready.get()), grant));
    }

    private static Optional<Problem> protocolMismatch(BucketAccess access, Bucket bucket) {
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        return protocol.isPresent()
                        && protocol.equals(Protocol.of(access.getSpec().protocol()))
                ? Optional.empty()
                : Optional.of(Problem.requiresChange(
                        ProvisionerReason.INVALID_PROTOCOL.text(),
                        "The protocol of the access is not the protocol of its Bucket. Use another"
                                + " BucketAccessClass."));
    }

    private static Decision<SidecarAccessStep> delete(ObservedAccess observed, BucketAccess access) {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return Decision.done();
        }
        Optional<String> left = accounts(access, observed.secret()).stream()
                .filter(account -> !observed.inFlight().revoked().contains(account))
                .findFirst();
        if (left.isPresent()) {
            return observed.preconditions().issuesIds() && observed.secret().isEmpty()
                    ? revokeWithoutId(observed, access, left.get())
                    : revoke(observed, access, left.get());
        }
        if (observed.secret().isPresent()) {
            Secret secret = observed.secret().get();
            return Decision.act(
                    Metadata.isBeingDeleted(secret)
                            ? new SidecarAccessStep.ReleaseSecret(access, secret)
                            : new SidecarAccessStep.DeleteSecret(secret));
        }
        if (mayHaveSecret(observed, access)) {
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        return Decision.act(new SidecarAccessStep.RemoveFinalizer(access));
    }

    /**
     * Only the Secret records the id of an account that the driver issued, so the Secret is looked for first: by the name the
     * driver may find nothing and answer that all is done. If there is no Secret, the account was probably never granted; many
     * drivers answer with an error then, which would keep the BucketAccess for ever.
     */
    private static Decision<SidecarAccessStep> revokeWithoutId(
            ObservedAccess observed, BucketAccess access, String account) {
        if (mayHaveSecret(observed, access)) {
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        boolean failed = observed.failure()
                .filter(attempt -> attempt.operation().equals(DriverMethod.REVOKE_ACCESS))
                .isPresent();
        return failed && !DriverPreconditions.graceEnd(access).isAfter(observed.now())
                ? Decision.act(new SidecarAccessStep.SkipRevoke(
                        access,
                        account,
                        "The id of the account is not known, and the driver does not revoke it by its name: "
                                + observed.failure().get().problem().message() + "."))
                : revoke(observed, access, account);
    }

    private static Decision<SidecarAccessStep> revoke(ObservedAccess observed, BucketAccess access, String account) {
        Optional<BackendBucket> inSecret = observed.secret().flatMap(SidecarAccessDecision::bucketNamedIn);
        return observed.bucket()
                .or(() -> observed.restored())
                .map(CosiOrders::bucket)
                // Another Bucket of that name may stand for another bucket in the store; the Secret names the right
                // one.
                .filter(bucket -> observed.bucket().isPresent()
                        || inSecret.filter(known -> !known.name().equals(bucket.name()))
                                .isEmpty())
                .or(() -> inSecret)
                .map(bucket -> call(
                        observed,
                        access,
                        DriverMethod.REVOKE_ACCESS,
                        bucket,
                        new SidecarAccessStep.Grant(
                                account, accountId(observed, access, account), "", Optional.empty())))
                .orElseGet(() -> skipRevoke(observed, access, account));
    }

    /** A restore may create the Bucket after its accesses, so the account is given up late; the Bucket's event ends the wait. */
    private static Decision<SidecarAccessStep> skipRevoke(
            ObservedAccess observed, BucketAccess access, String account) {
        if (!Metadata.isBeingDeleted(access)) {
            return Decision.done();
        }
        Instant end = DriverPreconditions.graceEnd(access);
        Duration left = Duration.between(observed.now(), end);
        return left.isPositive()
                ? report(
                        access,
                        DriverMethod.REVOKE_ACCESS,
                        waitsForRestore(access, end),
                        Result.requeueAfter(left, DriverPreconditions.GRACE))
                : Decision.act(new SidecarAccessStep.SkipRevoke(
                        access,
                        account,
                        "Bucket " + access.getSpec().bucketName()
                                + " no longer exists and the name of its bucket in the"
                                + " store is not known, so RevokeBucketAccess was not called."));
    }

    private static Problem waitsForRestore(BucketAccess access, Instant end) {
        return Problem.retryable(
                ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                "Bucket " + access.getSpec().bucketName() + " does not exist, so the name of the bucket in the store is"
                        + " not known and the account cannot be revoked. The sidecar waits until " + end
                        + " in case the Bucket is restored from a backup, then it releases the BucketAccess without"
                        + " RevokeBucketAccess.");
    }

    private static Decision<SidecarAccessStep> call(
            ObservedAccess observed,
            BucketAccess access,
            DriverMethod method,
            BackendBucket bucket,
            SidecarAccessStep.Grant grant) {
        String inputs = inputs(observed, access, grant.account());
        Optional<Result> blocked = blocked(observed, method, inputs);
        if (blocked.isPresent()) {
            return report(access, method, observed.failure().get().problem(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .problem(access.getSpec().protocol())
                .map(problem -> report(access, method, problem, Result.done()))
                .orElseGet(() -> Decision.act(new SidecarAccessStep.CallDriver(
                        method, access, bucket, grant, observed.preconditions().secrets(), inputs)));
    }

    /** The Secret names the bucket even if somebody removed the Bucket by force. */
    private static Optional<BackendBucket> bucketNamedIn(Secret secret) {
        return Optional.ofNullable(SecretData.of(secret).get(ConnectionDataKey.BUCKET_NAME.name()))
                .map(SecretValue::reveal)
                .map(name -> {
                    String id = DriverIds.of(secret).bucket();
                    return new BackendBucket(name, id.isEmpty() ? name : id, Map.of(), "", "");
                });
    }

    private static String inputs(ObservedAccess observed, BucketAccess access, String account) {
        return account + " "
                + observed.bucket().map(bucket -> bucket.getMetadata().getUid()).orElse("none") + " "
                + observed.bucket()
                        .or(() -> observed.restored())
                        .map(SidecarAccessDecision::transfer)
                        .orElse("")
                + " "
                + observed.preconditions().inputs(access);
    }

    /** The request and the completed transfer differ: what the driver refused before the transfer, it may do after it. */
    private static String transfer(Bucket bucket) {
        return Metadata.annotation(bucket, CosiNames.TRANSFER_FROM) + ">"
                + Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM);
    }

    private static Optional<Result> blocked(ObservedAccess observed, DriverMethod method, String inputs) {
        return observed.failure().flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
    }

    /** Reports the problem unless the BucketAccess has that report already, then finishes with the result. */
    private static Decision<SidecarAccessStep> report(
            BucketAccess access, DriverMethod method, Problem problem, Result result) {
        ProvisionerReport report = report(problem);
        return ProvisionerReport.of(access).filter(report::isSameProblem).isPresent()
                ? Decision.finish(result)
                : Decision.act(new SidecarAccessStep.Report(access, method, problem));
    }

    private static Decision<SidecarAccessStep> clearReport(BucketAccess access, Result result) {
        return Metadata.annotations(access).containsKey(CosiNames.PROVISIONER_REPORT)
                ? Decision.act(new SidecarAccessStep.ClearReport(access))
                : Decision.finish(result);
    }

    /** The report of a problem to the controller. */
    static ProvisionerReport report(Problem problem) {
        return new ProvisionerReport(
                problem.isRetried() ? BucketAccessPhase.RETRYING : BucketAccessPhase.FAILED,
                ProvisionerReason.of(problem.reason()),
                problem.message());
    }
}
