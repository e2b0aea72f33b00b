package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.core.BucketState.Deletion;
import io.bucketwright.cosi.sidecar.driver.CallNotice;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import java.util.function.UnaryOperator;

/**
 * Carries out the steps of {@link BucketDecision}.
 *
 * @param <B> the record of one object
 */
public final class BucketLoop<B extends BucketRecord> {

    private final DriverConnection driver;
    private final BucketBinding<B> binding;
    private final InFlightState<ObjectKey, BucketState> inFlight;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;

    private final CallNotice notice;

    public BucketLoop(ControllerContext runtime, DriverConnection driver, int workers, BucketBinding<B> binding) {
        this.driver = driver;
        this.binding = binding;
        this.inFlight = runtime.inFlight(BucketState.UNKNOWN);
        this.calls = ConcurrencyLimits.forWorkers(workers);
        this.notice = new CallNotice(runtime.time(), runtime.events());
    }

    public InFlightState<ObjectKey, BucketState> inFlight() {
        return inFlight;
    }

    public ConcurrencyLimits<ObjectKey> calls() {
        return calls;
    }

    public Outcome act(ObjectKey key, B bucket, BucketStep step) {
        return switch (step) {
            case BucketStep.WriteRecord(String id) -> {
                binding.record(bucket, id);
                yield progress(key, state -> id.isEmpty() ? state.with(new BucketAttempt.None()) : state);
            }
            case BucketStep.Create create ->
                calls.act(DriverMethod.CREATE_BUCKET, key, () -> create(key, bucket, create));
            case BucketStep.Publish(String id, boolean ready) -> {
                binding.publish(bucket, id, ready);
                yield progress(key, state -> state.with(ready ? Deletion.UNKNOWN : Deletion.RECORDED));
            }
            case BucketStep.AwaitConfirmation() -> {
                if (inFlight.report(
                        key, Problem.requiresChange(step.toString(), "confirmed: " + bucket.isConfirmed()))) {
                    binding.awaitConfirmation(bucket);
                }
                yield Outcome.finish(Result.done());
            }
            case BucketStep.Delete delete ->
                calls.act(DriverMethod.DELETE_BUCKET, key, () -> delete(key, bucket, delete));
            case BucketStep.GiveUp(String id, String cause) -> {
                binding.giveUp(bucket, id, cause);
                yield succeeded(key, state -> state.with(Deletion.DONE));
            }
            case BucketStep.Release(BucketStep.Left left) -> {
                binding.release(bucket, left);
                yield progress(key, _ -> BucketState.UNKNOWN);
            }
            case BucketStep.Report(DriverMethod method, Problem problem, Result result) -> {
                if (inFlight.report(key, new Problem(method.eventReason(), problem.message(), problem.recovery()))) {
                    binding.report(bucket, method, problem);
                }
                yield Outcome.finish(result);
            }
        };
    }

    private Outcome create(ObjectKey key, B bucket, BucketStep.Create step) {
        boolean untried = inFlight.get(key).attempt() instanceof BucketAttempt.None;
        inFlight.update(key, state -> state.with(new BucketAttempt.Perhaps(false)));
        return notice.during(
                        DriverMethod.CREATE_BUCKET,
                        binding.concerned(bucket),
                        () -> driver.driver().create(binding.creation(bucket), () -> inFlight.remaining(key)))
                .outcome(
                        created -> mine(key, created.id().orElse(bucket.name())),
                        problem -> createFailed(key, bucket, step, problem, untried));
    }

    /** Some drivers answer that the bucket exists, although it is the one of this object: then the id is the name. */
    private void createFailed(ObjectKey key, B bucket, BucketStep.Create step, Problem problem, boolean untried) {
        boolean exists = BucketDecision.is(problem, ProvisionerReason.ALREADY_EXISTS);
        if (exists && bucket.ownsName()) {
            mine(key, bucket.name());
            return;
        }
        inFlight.recordFailure(
                key, DriverMethod.CREATE_BUCKET, step.inputs(), binding.explain(bucket, problem, untried));
        boolean nothing = untried && (exists || !problem.isRetried());
        boolean idLost = bucket.isBeingDeleted() && !BucketDecision.isAmbiguous(problem);
        inFlight.update(
                key, state -> state.with(nothing ? new BucketAttempt.None() : new BucketAttempt.Perhaps(idLost)));
    }

    private void mine(ObjectKey key, String id) {
        Outcome _ = succeeded(key, state -> state.with(new BucketAttempt.Mine(id)));
    }

    private Outcome delete(ObjectKey key, B bucket, BucketStep.Delete step) {
        return notice.during(
                        DriverMethod.DELETE_BUCKET,
                        binding.concerned(bucket),
                        () -> driver.driver()
                                .delete(binding.deletion(bucket, step.id()), () -> inFlight.remaining(key)))
                .removalOutcome(
                        () -> succeeded(key, state -> state.with(Deletion.DONE)),
                        problem -> deleteFailed(key, step, problem));
    }

    private void deleteFailed(ObjectKey key, BucketStep.Delete step, Problem problem) {
        inFlight.recordFailure(key, DriverMethod.DELETE_BUCKET, step.inputs(), problem);
        inFlight.update(
                key,
                state -> state.afterFailedDeletion(
                        BucketDecision.isAmbiguous(problem),
                        BucketDecision.mayMeanAbsent(
                                problem, state.attempt() instanceof BucketAttempt.Perhaps(boolean idLost) && idLost),
                        inFlight.moment()));
    }

    private Outcome progress(ObjectKey key, UnaryOperator<BucketState> change) {
        inFlight.update(key, change);
        return Outcome.progress();
    }

    private Outcome succeeded(ObjectKey key, UnaryOperator<BucketState> change) {
        inFlight.clearFailure(key);
        return progress(key, change);
    }
}
