package io.bucketwright.cosi.controller;

import java.util.Optional;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.controller.Operations.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.Map;

/** What is done next about a BucketAccess: it lives as long as its request, and goes when it is revoked and unbound. */
final class AccessDecision {

    Decision<Step> decide(AccessView view) {
        if (view.access().isEmpty()) {
            return Decision.done();
        }
        BucketAccess access = view.access().get();
        if (Marks.leaving(access)) {
            return leaving(view, access);
        }
        if (!view.wanted()) {
            return Decision.act(new Step.Delete(access));
        }
        if (!view.rotateAt().isEmpty() && !view.rotateAt().equals(Marks.annotation(access, CosiNames.ROTATE_AT))) {
            return Decision.act(new Step.Merge(
                    access, Map.of("metadata", Map.of("annotations", Map.of(CosiNames.ROTATE_AT, view.rotateAt())))));
        }
        return tell(view, access);
    }

    private static Decision<Step> tell(AccessView view, BucketAccess access) {
        if (view.bucket().isEmpty()) {
            return Said.of(
                            BucketAccessPhase.RELEASED,
                            "BucketLost",
                            "Bucket " + access.getSpec().bucketName() + " is gone.")
                    .thenRest(access, view.now(), Result.done());
        }
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        boolean well = Ends.wasBound(access) || (view.granted() && isBound(view, access));
        if (report.isEmpty() && well) {
            return Said.of(BucketAccessPhase.BOUND, "Bound", "Access is granted.")
                    .thenRest(access, view.now(), Result.done());
        }
        if (report.isEmpty()) {
            return view.bucket().filter(Marks::leaving).isEmpty()
                    ? Decision.done()
                    : Said.of(
                                    BucketAccessPhase.FAILED,
                                    "BucketDeletionInProgress",
                                    "Bucket " + access.getSpec().bucketName() + " is being deleted.")
                            .thenRest(access, view.now(), Result.done());
        }
        BucketAccessPhase phase = well ? BucketAccessPhase.BOUND : report.get().phase();
        return Said.of(phase, Said.FAILED_GRANT_ACCESS, report.get().summary())
                .inPassing()
                .thenRest(access, view.now(), Result.done());
    }

    private static Decision<Step> leaving(AccessView view, BucketAccess access) {
        if (!Marks.hasFinalizer(access)) {
            return Decision.done();
        }
        if (Marks.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return ProvisionerReport.of(access)
                    .map(report -> Said.of(report.phase(), Said.FAILED_REVOKE_ACCESS, report.summary())
                            .inPassing()
                            .thenRest(access, view.now(), Result.done()))
                    .orElseGet(Decision::done);
        }
        // The Bucket's own loop takes the binding off.
        return isBound(view, access) ? Decision.done() : Decision.act(new Step.LetGo(access, Operation.NONE));
    }

    private static boolean isBound(AccessView view, BucketAccess access) {
        return view.bucket()
                .filter(bucket ->
                        bucket.getSpec().bindings().contains(Binding.of(access).text()))
                .isPresent();
    }
}
