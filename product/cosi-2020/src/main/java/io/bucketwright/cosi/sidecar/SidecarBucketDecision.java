package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.SidecarBucketState.Answer;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.options.BucketOption.OptionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules for a Bucket. Pure. */
record SidecarBucketDecision(SidecarBucketObservation observed, Bucket bucket) {

    /** Parameters of a class by which Bucketwright's driver gives others than accounts access to a bucket. */
    private static final Set<String> OPENING = Stream.of(
                    OptionKey.POLICY, OptionKey.CANNED_ACL, OptionKey.ANONYMOUS_ACCESS)
            .flatMap(option -> option.keys().stream())
            .collect(Collectors.toUnmodifiableSet());

    static Decision<SidecarBucketStep> decide(SidecarBucketObservation observed) {
        return observed.bucket()
                .map(bucket -> new SidecarBucketDecision(observed, bucket).decide())
                .orElseGet(Decision::done);
    }

    private Decision<SidecarBucketStep> decide() {
        return Metadata.isBeingDeleted(bucket) ? delete() : provision();
    }

    private Decision<SidecarBucketStep> provision() {
        if (!Metadata.hasFinalizer(bucket, CosiNames.FINALIZER)) {
            // Without the controller's finalizer a deletion would leave the bucket in the store.
            return Decision.done();
        }
        if (bucket.provisioned()) {
            return isTransferRequested(bucket)
                    ? transfer()
                    : missingConnection()
                            .map(patch -> Decision.<SidecarBucketStep>act(
                                    new SidecarBucketStep.WriteConnection(bucket, patch)))
                            .orElseGet(this::report);
        }
        if (bucket.getSpec().protocol().bucketName().isEmpty()) {
            return report(DriverMethod.CREATE_BUCKET.eventReason(), missingName(), Result.done());
        }
        return observed.inFlight()
                .connection()
                .map(patch -> Decision.<SidecarBucketStep>act(new SidecarBucketStep.WriteConnection(bucket, patch)))
                .orElseGet(() -> call(DriverMethod.CREATE_BUCKET));
    }

    /** A bucket that existed before its Bucket has no ownership tags of a cluster. */
    private static boolean isTransferRequested(Bucket bucket) {
        return bucket.getSpec().creator().isPresent()
                && !Metadata.annotation(bucket, CosiNames.TRANSFER_FROM).isEmpty();
    }

    /**
     * The first call only checks that the bucket does not belong to this cluster: after the transfer the store cannot prove
     * that any more. The second call replaces the cluster in the ownership tags. The connection data in the answers is known
     * already.
     */
    private Decision<SidecarBucketStep> transfer() {
        boolean confirmed = isTransferConfirmed(bucket);
        if (observed.inFlight().connection().isPresent()) {
            return Decision.act(
                    confirmed
                            ? new SidecarBucketStep.RecordTransfer(bucket)
                            : new SidecarBucketStep.RejectTransfer(bucket));
        }
        return observed.inFlight().answer() == Answer.ELSEWHERE && !confirmed
                ? Decision.act(new SidecarBucketStep.ConfirmTransfer(bucket))
                : call(DriverMethod.CREATE_BUCKET);
    }

    /** Whether CreateBucket must not transfer the bucket yet, but check that it does not belong to this cluster. */
    static boolean isTransferCheck(Bucket bucket) {
        return bucket.provisioned() && isTransferRequested(bucket) && !isTransferConfirmed(bucket);
    }

    private static boolean isTransferConfirmed(Bucket bucket) {
        return Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM)
                .equals(Metadata.annotation(bucket, CosiNames.TRANSFER_FROM));
    }

    private Problem missingName() {
        return Problem.requiresChange(
                ProvisionerReason.MISSING_BUCKET_NAME.text(),
                "spec.protocol has no bucket name for the protocol "
                        + SafeText.quoted(bucket.getSpec().protocol().protocolSignature()) + "."
                        + (bucket.existedBefore()
                                ? " A Bucket that an administrator created stands for an existing bucket: set its name."
                                        + " If the driver finds buckets by an id, set the annotation "
                                        + CosiNames.BUCKET_ID + "."
                                : ""));
    }

    /** The driver says with each access where the bucket is: what an administrator left out comes from the first one. */
    private Optional<JsonPatch> missingConnection() {
        return observed.accesses()
                .connection()
                .filter(_ -> SidecarCaches.isIncomplete(bucket)
                        && !bucket.getSpec().protocol().bucketName().isEmpty())
                .map(data -> ConnectionFields.of(bucket, data))
                .flatMap(answer -> answer instanceof DriverAnswer.Done<JsonPatch>(JsonPatch patch)
                        ? Optional.of(patch)
                        : Optional.empty());
    }

    private Decision<SidecarBucketStep> report() {
        String name = bucket.getSpec().protocol().bucketName();
        if (!bucket.getSpec().bindings().isEmpty()) {
            return bucket.phase() == BucketPhase.RELEASED
                            && isOpen()
                            && answered(Answer.OPENED).isEmpty()
                    ? changeAccess(true)
                    : BucketStatusUpdate.ready(
                                    BucketPhase.BOUND,
                                    ProvisionerReason.BOUND,
                                    "Bucket " + name + " exists and is bound." + unapplied())
                            .thenFinish(bucket, Result.done());
        }
        boolean retained = bucket.getSpec().onRelease() == ReleasePolicy.RETAIN;
        boolean wasBound = bucket.phase() == BucketPhase.BOUND || bucket.phase() == BucketPhase.RELEASED;
        if (retained && wasBound) {
            return mustBeClosed()
                    ? changeAccess(false)
                    : BucketStatusUpdate.ready(
                                    BucketPhase.RELEASED,
                                    ProvisionerReason.RELEASED,
                                    "Bucket " + name + " exists and is not bound." + unapplied())
                            .thenFinish(bucket, Result.done());
        }
        boolean reportsProblem = ReadyCondition.find(bucket.status().conditions())
                .filter(condition -> !condition.getStatus().equals("True"))
                .isPresent();
        // The first binding writes the status anyway; until then only a former problem is removed from it.
        return reportsProblem || !unapplied().isEmpty()
                ? BucketStatusUpdate.ready(
                                bucket.phase(), ProvisionerReason.CREATED, "Bucket " + name + " exists." + unapplied())
                        .thenFinish(bucket, Result.done())
                : Decision.done();
    }

    /** COSI changes no bucket that existed before: what its Bucket says about it is not silently without effect. */
    private String unapplied() {
        return bucket.existedBefore() && bucket.getSpec().anonymousAccess() != AnonymousAccessMode.PRIVATE
                ? " anonymousAccessMode " + bucket.getSpec().anonymousAccess()
                        + " is not applied, because the bucket existed before: set anonymous access in the store."
                : "";
    }

    /** Whether the driver opened the bucket to others than accounts, or may have because of a parameter of the class. */
    private boolean isOpen() {
        return !bucket.existedBefore()
                && (bucket.getSpec().anonymousAccess() != AnonymousAccessMode.PRIVATE
                        || (!observed.preconditions().issuesIds()
                                && bucket.getSpec().parameters().keySet().stream()
                                        .anyMatch(OPENING::contains)));
    }

    /** Nobody has access to a bucket that is kept. Phase Released shows that it is closed already. */
    private boolean mustBeClosed() {
        return isOpen()
                && bucket.phase() != BucketPhase.RELEASED
                && answered(Answer.CLOSED).isEmpty();
    }

    private Optional<Answer> answered(Answer expected) {
        return Optional.of(observed.inFlight().answer()).filter(expected::equals);
    }

    private Decision<SidecarBucketStep> changeAccess(boolean open) {
        return call(
                DriverMethod.CREATE_BUCKET,
                CosiReason.FAILED_CHANGE_ACCESS,
                inputs -> new SidecarBucketStep.ChangeAccess(
                        bucket, open, observed.preconditions().secrets(), inputs));
    }

    private Decision<SidecarBucketStep> delete() {
        if (bucket.phase() == BucketPhase.DELETED || !Metadata.hasFinalizer(bucket, CosiNames.FINALIZER)) {
            return Decision.done();
        }
        if (!bucket.getSpec().bindings().isEmpty()) {
            return notReady(
                    bucket.phase(),
                    ProvisionerReason.IN_USE,
                    "The Bucket is being deleted. The deletion waits until the last binding is removed.",
                    "");
        }
        if (observed.accesses().live() > 0) {
            return notReady(
                    bucket.phase(),
                    ProvisionerReason.IN_USE,
                    "The Bucket is being deleted. BucketAccesses that were not granted access yet name it: delete their"
                            + " BucketAccessRequests. The deletion waits until the last BucketAccess is deleted.",
                    "");
        }
        if (observed.accesses().all() > 0) {
            // The driver needs the bucket to revoke their accounts.
            return Decision.done();
        }
        String name = bucket.getSpec().protocol().bucketName();
        if (bucket.getSpec().creator().isEmpty()) {
            return retain("Bucket " + name + " was not created by this provisioner, so it stays in the store.");
        }
        Optional<Problem> problem = observed.preconditions().problem(protocol());
        if (problem.isPresent() && !mayExist()) {
            Duration left = Duration.between(observed.now(), DriverPreconditions.graceEnd(bucket));
            if (problem.get().isRetried() && left.isPositive()) {
                // A former process may have called the driver, which can still be asked to delete the bucket. The
                // controller reports this wait on the BucketRequest. This sidecar does not: if it reported the wait and
                // never started again, the controller would wait for it indefinitely.
                return Decision.finish(Result.requeueAfter(left, DriverPreconditions.GRACE));
            }
            return notReady(
                    BucketPhase.DELETED,
                    ProvisionerReason.DELETED,
                    "Bucket " + name + " was never created in the store.",
                    "");
        }
        // Without connection data or an id nobody has ever had access: a half-created bucket has nothing to retain.
        if (bucket.getSpec().onRelease() == ReleasePolicy.RETAIN && bucket.provisioned()) {
            return mustBeClosed()
                    ? changeAccess(false)
                    : retain("Bucket " + name + " stays in the store with its data: release policy Retain.");
        }
        if (observed.inFlight().answer() == Answer.DELETED) {
            return notReady(BucketPhase.DELETED, ProvisionerReason.DELETED, "Bucket " + name + " is deleted.", "");
        }
        if (bucket.phase() != BucketPhase.DELETING) {
            return notReady(
                    BucketPhase.DELETING, ProvisionerReason.DELETING, "Bucket " + name + " is being deleted.", "");
        }
        return call(DriverMethod.DELETE_BUCKET);
    }

    /** Whether CreateBucket was called. A first call is recorded when it fails; this process knows of one that succeeded. */
    private boolean mayExist() {
        return bucket.provisioned()
                || bucket.phase() != BucketPhase.CREATING
                || BucketStatusUpdate.isAfterCall(bucket)
                || observed.inFlight().connection().isPresent()
                || observed.failure().isPresent();
    }

    private Decision<SidecarBucketStep> retain(String message) {
        return notReady(BucketPhase.DELETED, ProvisionerReason.RETAINED, message, CosiReason.BUCKET_RETAINED);
    }

    private Decision<SidecarBucketStep> notReady(
            BucketPhase phase, ProvisionerReason reason, String message, String event) {
        return BucketStatusUpdate.notReady(phase, reason, message, event).thenFinish(bucket, Result.done());
    }

    private Decision<SidecarBucketStep> call(DriverMethod method) {
        return call(
                method,
                method.eventReason(),
                inputs -> new SidecarBucketStep.CallDriver(
                        method, bucket, observed.preconditions().secrets(), inputs));
    }

    private Decision<SidecarBucketStep> call(
            DriverMethod method, String event, Function<String, SidecarBucketStep> step) {
        String inputs = observed.preconditions().inputs(bucket);
        Optional<Result> blocked =
                observed.failure().flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
        if (blocked.isPresent()) {
            // Checked before the preconditions: if the driver crashes repeatedly, the cause to report is the error of
            // the last call, not the lost connection.
            return attempted(method, event, observed.failure().get().problem(), blocked.get());
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .problem(protocol())
                .map(problem -> report(event, problem, Result.done()))
                .orElseGet(() -> Decision.act(step.apply(inputs)));
    }

    private String protocol() {
        return bucket.getSpec().protocol().protocolSignature();
    }

    private Decision<SidecarBucketStep> attempted(DriverMethod method, String event, Problem problem, Result result) {
        BucketStatusUpdate update = BucketStatusUpdate.of(bucket.phase(), problem, event);
        return (method == DriverMethod.CREATE_BUCKET ? update.afterCall() : update).thenFinish(bucket, result);
    }

    private Decision<SidecarBucketStep> report(String event, Problem problem, Result result) {
        return BucketStatusUpdate.of(bucket.phase(), problem, event).thenFinish(bucket, result);
    }
}
