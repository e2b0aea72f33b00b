package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.util.Optional;

/** The rules for a Bucket of v1alpha2. Pure. */
final class V1alpha2BucketDecision {

    private V1alpha2BucketDecision() {}

    static Decision<V1alpha2BucketStep> decide(V1alpha2BucketView view) {
        return Metadata.isBeingDeleted(view.bucket()) ? delete(view) : provision(view);
    }

    private static Decision<V1alpha2BucketStep> provision(V1alpha2BucketView view) {
        V1alpha2Bucket bucket = view.bucket();
        if (bucket.status().readyToUse()) {
            return Decision.done();
        }
        if (!Metadata.hasFinalizer(bucket, V1alpha2Names.FINALIZER)) {
            return Decision.act(new V1alpha2BucketStep.AddFinalizer(bucket));
        }
        return view.progress()
                .provisioned()
                .<Decision<V1alpha2BucketStep>>map(
                        provisioned -> Decision.act(new V1alpha2BucketStep.WriteProvisioned(bucket, provisioned)))
                .orElseGet(() -> call(view, DriverMethod.CREATE_BUCKET));
    }

    private static Decision<V1alpha2BucketStep> delete(V1alpha2BucketView view) {
        V1alpha2Bucket bucket = view.bucket();
        if (!Metadata.hasFinalizer(bucket, V1alpha2Names.FINALIZER)) {
            return Decision.done();
        }
        boolean released = Metadata.annotations(bucket).containsKey(V1alpha2Names.CLAIM_BEING_DELETED)
                || bucket.claim().uid().isEmpty();
        if (!bucket.spec().deletionPolicy().equals(V1alpha2Names.DELETE) || !released) {
            return report(
                    view,
                    "The Bucket is not deleted: "
                            + (released
                                    ? "only deletionPolicy Delete deletes the bucket in the store. Set deletionPolicy"
                                            + " to Delete, or remove the finalizer to delete only this object."
                                    : "it is bound to BucketClaim "
                                            + SafeText.quoted(bucket.claim().name()) + " of namespace "
                                            + SafeText.quoted(bucket.claim().namespace())
                                            + ". Delete the BucketClaim first."),
                    Result.pending());
        }
        boolean unknown = bucket.status().bucketID().isEmpty();
        String inputs = view.preconditions().inputs(bucket);
        boolean refused = view.failure()
                .filter(attempt -> V1alpha2SidecarContext.isRefusal(attempt, DriverMethod.CREATE_BUCKET, inputs))
                .isPresent();
        if (view.progress().deleted() || (unknown && refused)) {
            return Decision.act(new V1alpha2BucketStep.RemoveFinalizer(bucket));
        }
        if (unknown) {
            // An earlier call may have created it: the driver is asked for the id.
            return view.progress()
                    .provisioned()
                    .<Decision<V1alpha2BucketStep>>map(
                            provisioned -> Decision.act(new V1alpha2BucketStep.WriteProvisioned(bucket, provisioned)))
                    .orElseGet(() -> call(view, DriverMethod.CREATE_BUCKET));
        }
        return call(view, DriverMethod.DELETE_BUCKET);
    }

    private static Decision<V1alpha2BucketStep> call(V1alpha2BucketView view, DriverMethod method) {
        V1alpha2Bucket bucket = view.bucket();
        String inputs = view.preconditions().inputs(bucket);
        Optional<FailedAttempt> failure =
                view.failure().filter(attempt -> attempt.operation().equals(method));
        Optional<Result> blocked = failure.flatMap(attempt -> DriverPreconditions.blocked(attempt, method, inputs));
        if (blocked.isPresent()) {
            return report(
                    view, failure.map(attempt -> attempt.problem().message()).orElse(""), blocked.get());
        }
        if (view.preconditions().driver() instanceof DriverState.Connecting) {
            return Decision.finish(Result.pending());
        }
        return view.preconditions()
                .driverProblem()
                .map(Problem::message)
                .map(message -> report(view, message, Result.pending()))
                .orElseGet(() -> Decision.act(
                        method == DriverMethod.CREATE_BUCKET
                                ? new V1alpha2BucketStep.Provision(bucket, inputs)
                                : new V1alpha2BucketStep.Delete(bucket, inputs)));
    }

    /** Writes the problem unless it is in the status, then finishes with the result. */
    private static Decision<V1alpha2BucketStep> report(V1alpha2BucketView view, String message, Result result) {
        return StatusError.messageOf(view.bucket().status().error()).equals(message)
                ? Decision.finish(result)
                : Decision.act(new V1alpha2BucketStep.WriteError(view.bucket(), message));
    }
}
