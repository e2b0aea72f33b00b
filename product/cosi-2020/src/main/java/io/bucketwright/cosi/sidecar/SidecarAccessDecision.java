package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.CredentialRotation;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules for a BucketAccess. Pure. */
record SidecarAccessDecision(SidecarAccessObservation observed, BucketAccess access) {

    static Decision<Step> decide(SidecarAccessObservation observed) {
        return observed.access()
                .map(access -> new SidecarAccessDecision(observed, access).decide())
                .orElseGet(Decision::done);
    }

    private Decision<Step> decide() {
        return Metadata.isBeingDeleted(access) ? delete() : provision();
    }

    private Decision<Step> provision() {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return merge("add the finalizer", Metadata.patch(access).withFinalizer(CosiNames.PROVISIONER_FINALIZER));
        }
        return observed.secret()
                .map(secret -> Metadata.isBeingDeleted(secret) ? replaceSecret(secret) : granted(secret))
                .orElseGet(() -> notGranted());
    }

    /** Somebody deletes the Secret of an access that stays: the next Secret gets the same credentials. */
    private Decision<Step> replaceSecret(Secret secret) {
        return observed.inFlight().credentials().isEmpty()
                ? Decision.act(new SidecarAccessStep.KeepCredentials(access, secret))
                : Decision.act(new SidecarAccessStep.RemoveSecretFinalizer(access, secret));
    }

    private Decision<Step> granted(Secret secret) {
        Optional<IssuedCredentials> issued = observed.inFlight().credentials();
        if (issued.isPresent()) {
            // The grant may have ended the credentials in the Secret, whichever rotation it shows by now.
            return publish(secret, issued.get());
        }
        Optional<Instant> overlapEnd = RequestedRotation.overlapEnd(secret);
        if (overlapEnd.isPresent()) {
            return overlapping(secret, overlapEnd.get());
        }
        return switch (RequestedRotation.of(access, secret, observed.now())) {
            case CredentialRotation.None() -> clearReport(Result.done());
            case CredentialRotation.Later(Duration delay) -> clearReport(Result.requeueAfter(delay));
            case CredentialRotation.Invalid(Problem problem) ->
                report(DriverMethod.GRANT_ACCESS, problem, Result.done());
            case CredentialRotation.Due(String at, Duration overlap) ->
                grant(new SidecarAccessStep.Grant(otherAccount(secret), at, Optional.of(overlap)));
        };
    }

    private Decision<Step> publish(Secret secret, IssuedCredentials issued) {
        String inputs = inputs(issued.account());
        return blocked(DriverMethod.GRANT_ACCESS, inputs)
                .map(result -> report(
                        DriverMethod.GRANT_ACCESS, observed.failure().get().problem(), result))
                .orElseGet(() ->
                        Decision.act(new SidecarAccessStep.WriteSecret(access, Optional.of(secret), issued, inputs)));
    }

    /** Both accounts are valid, so that applications have time to read the new credentials. The next rotation waits. */
    private Decision<Step> overlapping(Secret secret, Instant end) {
        Duration left = Duration.between(observed.now(), end);
        if (left.isPositive()) {
            return clearReport(Result.requeueAfter(CredentialRotation.limited(left)));
        }
        String previous = otherAccount(secret);
        return observed.inFlight().revoked().contains(previous)
                ? Decision.act(new SidecarAccessStep.EndOverlap(access, secret))
                : revoke(previous);
    }

    /** The account whose credentials the Secret contains. */
    static String accountIn(Secret secret, BucketAccess access) {
        return Metadata.annotation(secret, CosiNames.ACCOUNT).equals(access.secondAccount())
                ? access.secondAccount()
                : access.account();
    }

    private String otherAccount(Secret secret) {
        return accountIn(secret, access).equals(access.account()) ? access.secondAccount() : access.account();
    }

    /** The id by which the driver revokes the account: the Secret records it, if it is not the name. */
    private String accountId(String account) {
        return observed.secret()
                .map(secret -> accountIn(secret, access).equals(account)
                        ? DriverIds.of(secret).account()
                        : DriverIds.of(secret).previousAccount())
                .filter(id -> !id.isEmpty())
                .orElse(account);
    }

    /** Every account that may exist in the store: the second one only after a rotation was requested. */
    private List<String> accounts(Optional<Secret> secret) {
        boolean rotated = !Metadata.annotation(access, CosiNames.ROTATE_AT).isEmpty()
                || secret.filter(found ->
                                !Metadata.annotation(found, CosiNames.ACCOUNT).isEmpty())
                        .isPresent();
        return rotated ? List.of(access.account(), access.secondAccount()) : List.of(access.account());
    }

    private Decision<Step> notGranted() {
        if (observed.inFlight().credentials().isEmpty() && mayHaveSecret()) {
            // Granting again would end the credentials that pods use; a removed label is not a deletion.
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        // Whichever account a lost Secret was about, the second one is not in use after this.
        boolean rotated = accounts(Optional.empty()).size() > 1;
        boolean due = RequestedRotation.withoutSecret(access, observed.now()) instanceof CredentialRotation.Due;
        return grant(new SidecarAccessStep.Grant(
                access.account(),
                due ? Metadata.annotation(access, CosiNames.ROTATE_AT) : "",
                rotated ? Optional.of(Duration.ZERO) : Optional.empty()));
    }

    /** Whether a Secret was written that the cache does not show. */
    private boolean mayHaveSecret() {
        return access.phase().filter(phase -> phase == BucketAccessPhase.BOUND).isPresent()
                && !observed.inFlight().secretIsMissing();
    }

    private Decision<Step> grant(SidecarAccessStep.Grant grant) {
        Optional<Bucket> ready = observed.bucket()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket))
                .filter(bucket -> bucket.provisioned());
        if (ready.isEmpty()) {
            // The Bucket's own events wake this key.
            return Decision.done();
        }
        String inputs = inputs(grant.account());
        Optional<IssuedCredentials> issued = observed.inFlight().credentials();
        if (issued.isPresent() && blocked(DriverMethod.GRANT_ACCESS, inputs).isEmpty()) {
            return Decision.act(new SidecarAccessStep.WriteSecret(access, observed.secret(), issued.get(), inputs));
        }
        return protocolMismatch(ready.get())
                .map(problem -> report(DriverMethod.GRANT_ACCESS, problem, Result.done()))
                .orElseGet(() -> call(DriverMethod.GRANT_ACCESS, CosiOrders.bucket(ready.get()), grant));
    }

    private Optional<Problem> protocolMismatch(Bucket bucket) {
        Optional<Protocol> protocol = bucket.getSpec().protocol().protocol();
        return protocol.isPresent()
                        && protocol.equals(Protocol.of(access.getSpec().protocol()))
                ? Optional.empty()
                : Optional.of(Problem.requiresChange(
                        ProvisionerReason.INVALID_PROTOCOL.text(),
                        "The protocol of the access is not the protocol of its Bucket. Use another"
                                + " BucketAccessClass."));
    }

    private Decision<Step> delete() {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return Decision.done();
        }
        Optional<String> left = accounts(observed.secret()).stream()
                .filter(account -> !observed.inFlight().revoked().contains(account))
                .findFirst();
        if (left.isPresent()) {
            return observed.preconditions().issuesIds() && observed.secret().isEmpty()
                    ? revokeWithoutId(left.get())
                    : revoke(left.get());
        }
        if (observed.secret().isPresent()) {
            Secret secret = observed.secret().get();
            return Decision.act(
                    Metadata.isBeingDeleted(secret)
                            ? new SidecarAccessStep.RemoveSecretFinalizer(access, secret)
                            : new SidecarAccessStep.DeleteSecret(secret));
        }
        if (mayHaveSecret()) {
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        return merge("remove the finalizer", Metadata.patch(access).withoutFinalizer(CosiNames.PROVISIONER_FINALIZER));
    }

    /**
     * Only the Secret records the id of an account that the driver issued, so the Secret is looked for first: by the name the
     * driver may find nothing and answer that all is done. If there is no Secret, the account was probably never granted; many
     * drivers answer with an error then, which would keep the BucketAccess for ever.
     */
    private Decision<Step> revokeWithoutId(String account) {
        if (mayHaveSecret()) {
            return Decision.act(new SidecarAccessStep.ReadSecret(access));
        }
        boolean failed = observed.failure()
                .filter(attempt -> attempt.operation().equals(DriverMethod.REVOKE_ACCESS))
                .filter(_ -> observed.inFlight().refusals().lasting())
                .isPresent();
        return failed && !DriverPreconditions.graceEnd(access).isAfter(observed.now())
                ? Decision.act(new SidecarAccessStep.SkipRevoke(
                        access,
                        account,
                        "The id of the account is not known, and the driver does not revoke it by its name: "
                                + observed.failure().get().problem().message() + "."))
                : revoke(account);
    }

    private Decision<Step> revoke(String account) {
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
                        DriverMethod.REVOKE_ACCESS,
                        bucket,
                        new SidecarAccessStep.Grant(account, accountId(account), "", Optional.empty())))
                .orElseGet(() -> skipRevoke(account));
    }

    /** A restore may create the Bucket after its accesses, so the account is given up late; the Bucket's event ends the wait. */
    private Decision<Step> skipRevoke(String account) {
        if (!Metadata.isBeingDeleted(access)) {
            return Decision.done();
        }
        Instant end = DriverPreconditions.graceEnd(access);
        Duration left = Duration.between(observed.now(), end);
        return left.isPositive()
                ? report(
                        DriverMethod.REVOKE_ACCESS,
                        waitsForRestore(end),
                        Result.requeueAfter(left, DriverPreconditions.GRACE))
                : Decision.act(new SidecarAccessStep.SkipRevoke(
                        access,
                        account,
                        "Bucket " + access.getSpec().bucketName()
                                + " no longer exists and the name of its bucket in the"
                                + " store is not known, so RevokeBucketAccess was not called."));
    }

    private Problem waitsForRestore(Instant end) {
        return Problem.retryable(
                ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                "Bucket " + access.getSpec().bucketName() + " does not exist, so the name of the bucket in the store is"
                        + " not known and the account cannot be revoked. The sidecar waits until " + end
                        + " in case the Bucket is restored from a backup, then it releases the BucketAccess without"
                        + " RevokeBucketAccess.");
    }

    private Decision<Step> call(DriverMethod method, BackendBucket bucket, SidecarAccessStep.Grant grant) {
        String inputs = inputs(grant.account());
        Optional<Result> blocked = blocked(method, inputs);
        if (blocked.isPresent()) {
            return report(method, observed.failure().get().problem(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .problem(access.getSpec().protocol())
                .map(problem -> report(method, problem, Result.done()))
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

    private String inputs(String account) {
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

    private Optional<Result> blocked(DriverMethod method, String inputs) {
        return observed.failure().flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
    }

    /** Reports the problem unless the BucketAccess has that report already, then finishes with the result. */
    private Decision<Step> report(DriverMethod method, Problem problem, Result result) {
        ProvisionerReport report = new ProvisionerReport(
                problem.isRetried() ? BucketAccessPhase.RETRYING : BucketAccessPhase.FAILED,
                ProvisionerReason.of(problem.reason()),
                problem.message());
        if (ProvisionerReport.of(access).filter(report::isSameProblem).isPresent()) {
            return Decision.finish(result);
        }
        MetadataPatch annotated =
                Metadata.patch(access).withAnnotations(Map.of(CosiNames.PROVISIONER_REPORT, report.encode()));
        return Decision.act(new Step.Write("report", access, new Step.Merge(annotated.fields()))
                .reporting(new Step.Event(true, method.eventReason(), problem.reason(), problem.message())));
    }

    private Decision<Step> clearReport(Result result) {
        return Metadata.annotations(access).containsKey(CosiNames.PROVISIONER_REPORT)
                ? merge("clear the report", Metadata.patch(access).withoutAnnotation(CosiNames.PROVISIONER_REPORT))
                : Decision.finish(result);
    }

    private Decision<Step> merge(String name, MetadataPatch patch) {
        return Decision.act(new Step.Write(name, access, new Step.Merge(patch.fields())));
    }
}
