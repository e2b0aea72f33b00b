package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.core.BucketState.Deletion;
import io.bucketwright.cosi.core.BucketStep.Left;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rules for a bucket in the store. Pure. A deletion is decided here only: the caller waits before for those who still use
 * the bucket.
 *
 * @param inputs what a call depends on
 * @param failure the last call, if it failed
 * @param moment for delays of this process; compare timestamps with {@code now}
 */
public record BucketDecision(
        BucketRecord bucket,
        DriverPreconditions preconditions,
        String inputs,
        BucketState state,
        Optional<FailedAttempt> failure,
        Moment moment,
        Instant now) {

    /** Done means that nothing is left to do for the bucket itself. */
    public Decision<BucketStep> decide() {
        if (bucket.isBeingDeleted()) {
            return bucket.isProtected() ? delete() : Decision.done();
        }
        return bucket.isRestored() ? restored() : provision();
    }

    /** Another cluster, or the original, may use the bucket. Its id is in the record, so the driver is not asked. */
    private Decision<BucketStep> restored() {
        String id = bucket.formerId();
        return Decision.act(
                bucket.isConfirmed() && !id.isEmpty()
                        ? new BucketStep.WriteRecord(id)
                        : new BucketStep.AwaitConfirmation());
    }

    private Decision<BucketStep> provision() {
        String id = bucket.id();
        if (!bucket.isRecorded(id)) {
            return Decision.act(new BucketStep.WriteRecord(id));
        }
        if (bucket.isReady()) {
            return Decision.done();
        }
        if (!id.isEmpty()) {
            return Decision.act(new BucketStep.Publish(id, true));
        }
        return state.attempt() instanceof BucketAttempt.Mine(String created)
                ? Decision.act(new BucketStep.WriteRecord(created))
                : create();
    }

    private Decision<BucketStep> delete() {
        if (bucket.isRestored()) {
            return release(Left.RESTORED);
        }
        if (state.deletion() == Deletion.DONE) {
            return release(Left.NOTHING);
        }
        String id = bucket.id();
        if (id.isEmpty()) {
            return deleteHalfCreated();
        }
        return bucket.deletesBackend() ? deleteCreated(id) : release(Left.RETAINED);
    }

    /**
     * That the bucket is being deleted is recorded first: if this process ends after the call, the next one knows that an
     * error may be the driver's answer for a bucket that does not exist.
     */
    private Decision<BucketStep> deleteCreated(String id) {
        if (state.deletion() == Deletion.FAILED) {
            return Decision.act(new BucketStep.Publish(id, true));
        }
        if (!bucket.isDeletionRecorded()) {
            return call(DriverMethod.DELETE_BUCKET, () -> new BucketStep.Publish(id, false));
        }
        return state.deletion() == Deletion.UNKNOWN
                ? deleteOrGiveUp(id)
                : call(DriverMethod.DELETE_BUCKET, () -> new BucketStep.Delete(id, inputs));
    }

    /** The driver may have been called, and its answer is not known. Asked again, it answers with the id of the same bucket. */
    private Decision<BucketStep> deleteHalfCreated() {
        if (state.attempt() instanceof BucketAttempt.None) {
            return release(Left.NOTHING);
        }
        if (!bucket.deletesBackend() || !bucket.ownsName()) {
            return release(Left.PERHAPS);
        }
        return switch (state.attempt()) {
            case BucketAttempt.Mine(String id) -> deleteOrGiveUp(id);
            case BucketAttempt.Perhaps(boolean idLost) when idLost -> deleteOrGiveUp(bucket.name());
            case BucketAttempt attempt -> create();
        };
    }

    private Decision<BucketStep> deleteOrGiveUp(String id) {
        Optional<FailedAttempt> failed = failure(DriverMethod.DELETE_BUCKET).filter(_ -> isLongAbsent());
        return failed.isPresent()
                ? Decision.act(new BucketStep.GiveUp(id, failed.get().problem().message()))
                : call(DriverMethod.DELETE_BUCKET, () -> new BucketStep.Delete(id, inputs));
    }

    /** Longer than an outage of the store that the driver answers in the same way, and than a restart of both takes. */
    private boolean isLongAbsent() {
        boolean answered = state.absentSince()
                .filter(since -> moment.since(since).compareTo(DriverPreconditions.GRACE) >= 0)
                .isPresent();
        return answered && !now.isBefore(bucket.deletionRequested().plus(DriverPreconditions.GRACE));
    }

    /**
     * Whether the error can be the answer of a driver for a bucket that does not exist. Those that somebody repairs, or that
     * end by themselves, say nothing about that.
     *
     * @param guessed whether the id is only the name, so that the driver may refuse it as invalid
     */
    static boolean mayMeanAbsent(Problem problem, boolean guessed) {
        return is(problem, ProvisionerReason.INTERNAL_ERROR)
                || (guessed && is(problem, ProvisionerReason.INVALID_ARGUMENT));
    }

    /** Whether the driver may have done what it was asked to do. */
    static boolean isAmbiguous(Problem problem) {
        return is(problem, ProvisionerReason.DRIVER_TIMEOUT) || is(problem, ProvisionerReason.DRIVER_UNAVAILABLE);
    }

    static boolean is(Problem problem, ProvisionerReason reason) {
        return problem.reason().equals(reason.text());
    }

    private static Decision<BucketStep> release(Left left) {
        return Decision.act(new BucketStep.Release(left));
    }

    private Decision<BucketStep> create() {
        return call(DriverMethod.CREATE_BUCKET, () -> new BucketStep.Create(inputs));
    }

    private Decision<BucketStep> call(DriverMethod method, Supplier<BucketStep> step) {
        Optional<FailedAttempt> failed = failure(method);
        Optional<Result> blocked = failed.flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
        if (blocked.isPresent()) {
            return report(method, failed.get().problem(), blocked.get());
        }
        if (preconditions.driver() instanceof DriverState.Connecting) {
            // The key is requeued when the connection attempt ends.
            return Decision.finish(Result.pending());
        }
        return preconditions
                .driverProblem()
                .map(problem -> report(method, problem, Result.pending()))
                .orElseGet(() -> Decision.act(step.get()));
    }

    private Optional<FailedAttempt> failure(DriverMethod method) {
        return failure.filter(attempt -> attempt.operation().equals(method));
    }

    private static Decision<BucketStep> report(DriverMethod method, Problem problem, Result result) {
        return Decision.act(new BucketStep.Report(method, problem, result));
    }
}
