package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Carries out the steps of the BucketAccess controller that are not about its Secret. */
record SidecarAccessActs(SidecarContext context, InFlightState<ObjectKey, InFlightAccess> inFlight) {

    /** The report of a problem to the controller. */
    static ProvisionerReport report(Problem problem) {
        return new ProvisionerReport(
                problem.isRetried() ? BucketAccessPhase.RETRYING : BucketAccessPhase.FAILED,
                ProvisionerReason.of(problem.reason()),
                problem.message());
    }

    Outcome addFinalizer(SidecarAccessStep.AddFinalizer step) {
        return merge(step.access(), Metadata.patch(step.access()).withFinalizer(CosiNames.PROVISIONER_FINALIZER));
    }

    Outcome removeFinalizer(SidecarAccessStep.RemoveFinalizer step) {
        return merge(step.access(), Metadata.patch(step.access()).withoutFinalizer(CosiNames.PROVISIONER_FINALIZER));
    }

    Outcome grant(SidecarAccessStep.Grant step) {
        boolean required = step.access().getSpec().serviceAccountName().isEmpty();
        DriverAnswer<IssuedCredentials> answer = context.calls()
                .call(
                        DriverMethod.GRANT_ACCESS,
                        context.requests().grant(step.access(), step.bucket(), step.rotateAt(), step.secrets()),
                        CosiControllerBlockingStub::grantBucketAccess,
                        response -> IssuedCredentials.read(response, required, step.rotateAt()));
        return answer.outcome(
                issued -> succeeded(step.key(), state -> state.withCredentials(issued)),
                problem -> inFlight.recordFailure(step.key(), DriverMethod.GRANT_ACCESS, step.inputs(), problem));
    }

    Outcome revoke(SidecarAccessStep.Revoke step) {
        return context.calls()
                .call(
                        DriverMethod.REVOKE_ACCESS,
                        context.requests().revoke(step.access(), step.bucket(), step.secrets()),
                        CosiControllerBlockingStub::revokeBucketAccess,
                        DriverAnswer.Done::new)
                .removalOutcome(
                        () -> succeeded(step.key(), InFlightAccess::withRevoked),
                        problem ->
                                inFlight.recordFailure(step.key(), DriverMethod.REVOKE_ACCESS, step.inputs(), problem));
    }

    Outcome skipRevoke(SidecarAccessStep.SkipRevoke step) {
        context.runtime()
                .events()
                .warning(
                        step.access(),
                        DriverMethod.REVOKE_ACCESS.eventReason(),
                        DriverMethod.REVOKE_ACCESS.rpc(),
                        "Bucket " + step.access().getSpec().bucketName()
                                + " no longer exists and the name of its bucket"
                                + " in the store is not known, so RevokeBucketAccess was not called. If the store has an"
                                + " account "
                                + CosiNames.accountOf(
                                        step.access().getMetadata().getUid())
                                + ", delete it there.");
        succeeded(step.key(), InFlightAccess::withRevoked);
        return Outcome.progress();
    }

    Outcome report(SidecarAccessStep.Report step) {
        Map<String, String> annotation =
                Map.of(CosiNames.PROVISIONER_REPORT, report(step.problem()).encode());
        Outcome outcome = merge(step.access(), Metadata.patch(step.access()).withAnnotations(annotation));
        context.runtime()
                .events()
                .warning(
                        step.access(),
                        step.method().eventReason(),
                        step.problem().reason(),
                        step.problem().message());
        return outcome;
    }

    Outcome clearReport(SidecarAccessStep.ClearReport step) {
        return merge(step.access(), Metadata.patch(step.access()).withoutAnnotation(CosiNames.PROVISIONER_REPORT));
    }

    private Outcome merge(BucketAccess access, MetadataPatch patch) {
        BucketAccess _ = context.runtime().writer().merge(access, patch.fields());
        return Outcome.progress();
    }

    private void succeeded(ObjectKey key, UnaryOperator<InFlightAccess> change) {
        inFlight.update(key, change);
        inFlight.clearFailure(key);
    }
}
