package io.bucketwright.cosi.controller;

import java.util.Optional;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.Set;

/** What is done next about a BucketAccessRequest: {@link AccessBeginning} until there is an access, then this. */
final class AccessRequestDecision {

    /** Phases that only a request can have whose access was there once. */
    private static final Set<BucketAccessRequestPhase> HAD_ACCESS =
            Set.of(BucketAccessRequestPhase.ACCESS_LOST, BucketAccessRequestPhase.BUCKET_LOST);

    private final AccessBeginning beginning = new AccessBeginning();

    Decision<Step> decide(AccessRequestView view) {
        if (view.request().isEmpty()) {
            return Decision.done();
        }
        BucketAccessRequest request = view.request().get();
        if (Marks.leaving(request)) {
            return leaving(view, request);
        }
        if (view.access().isPresent()) {
            return follow(view, request, view.access().get());
        }
        if (HAD_ACCESS.contains(request.phase()) || Ends.wasBound(request)) {
            return lost(request).thenRest(request, view.now(), Result.done());
        }
        return beginning.decide(view, request);
    }

    private static Decision<Step> leaving(AccessRequestView view, BucketAccessRequest request) {
        if (!Marks.hasFinalizer(request)) {
            return Decision.done();
        }
        if (view.access().isEmpty()) {
            String provisioner =
                    view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
            return Decision.act(new Step.LetGo(request, Ends.left(request, provisioner)));
        }
        Said said = ProvisionerReport.of(view.access().get())
                .map(report -> Said.of(
                                BucketAccessRequestPhase.DELETING, Said.FAILED_REVOKE_ACCESS, report.summary())
                        .inPassing())
                .orElseGet(() ->
                        Said.of(BucketAccessRequestPhase.DELETING, "Revoking", "Access is being revoked."));
        return said.thenRest(request, view.now(), Result.done());
    }

    private static Decision<Step> follow(AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        if (Marks.leaving(access)) {
            return lost(request).thenRest(request, view.now(), Result.done());
        }
        if (view.bucket().isEmpty()) {
            return Said.of(
                            BucketAccessRequestPhase.BUCKET_LOST,
                            "BucketLost",
                            "Bucket " + access.getSpec().bucketName()
                                    + " was deleted. Delete this request and make a new one.")
                    .thenRest(request, view.now(), Result.done());
        }
        Bucket bucket = view.bucket().get();
        if (!view.granted()) {
            return Marks.leaving(bucket) && !Ends.wasBound(request)
                    ? Said.of(
                                    BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS,
                                    "BucketDeletionInProgress",
                                    "Bucket " + access.getSpec().bucketName()
                                            + " is being deleted. Delete this request too.")
                            .thenRest(request, view.now(), Result.done())
                    : waiting(view, request, access);
        }
        return switch (view.secret()) {
            case ABSENT, DIFFERENT -> Decision.act(new Step.CopySecret(request, access));
            case FOREIGN -> inUse(view, request, access);
            case SAME -> granted(view, request, access, bucket);
        };
    }

    private static Decision<Step> granted(
            AccessRequestView view, BucketAccessRequest request, BucketAccess access, Bucket bucket) {
        boolean bound = bucket.getSpec().bindings().contains(Binding.of(access).text());
        if (!bound && !Ends.wasBound(request)) {
            return Decision.done();
        }
        String secret = "Secret " + access.getSpec().applicationSecretName() + " opens the bucket.";
        return well(view, request, bucket, secret)
                .thenRest(
                        request,
                        view.now(),
                        Result.done(),
                        Ends.created(request, bucket.getSpec().provisioner()));
    }

    private static Said well(AccessRequestView view, BucketAccessRequest request, Bucket bucket, String secret) {
        if (Marks.leaving(bucket)) {
            return Said.of(
                    BucketAccessRequestPhase.BOUND,
                    "BucketDeletionInProgress",
                    secret + " But Bucket " + bucket.getMetadata().getName()
                            + " is being deleted, and goes when the last BucketAccessRequest is deleted.");
        }
        Optional<ProvisionerReport> report = view.access().flatMap(ProvisionerReport::of);
        if (report.isPresent()) {
            return Said.of(
                            BucketAccessRequestPhase.BOUND,
                            Said.FAILED_GRANT_ACCESS,
                            secret + " But new credentials could not be made: "
                                    + report.get().summary())
                    .inPassing();
        }
        if (Rotation.isNoTime(request)) {
            return Said.of(
                    BucketAccessRequestPhase.BOUND,
                    "InvalidRotation",
                    secret + " The annotation " + CosiNames.ROTATE_AT
                            + " is no time such as 2026-11-15T12:00:00Z and is ignored.");
        }
        return Said.of(BucketAccessRequestPhase.BOUND, "Bound", secret);
    }

    private static Decision<Step> waiting(
            AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        Optional<ProvisionerReport> report = ProvisionerReport.of(access);
        if (Ends.wasBound(request) || report.isEmpty()) {
            return Decision.done();
        }
        String message = report.get().summary();
        Said said = report.get().isFailed()
                ? Said.of(BucketAccessRequestPhase.ACCESS_FAILED, Said.FAILED_GRANT_ACCESS, message)
                : Said.of(BucketAccessRequestPhase.PENDING, Said.FAILED_GRANT_ACCESS, message)
                        .inPassing();
        return said.thenRest(request, view.now(), Result.done());
    }

    private static Decision<Step> inUse(AccessRequestView view, BucketAccessRequest request, BucketAccess access) {
        String name = access.getSpec().applicationSecretName();
        String message = "Secret " + name
                + " exists and was not made for this request: delete it, or make a request with another accessSecretName.";
        // It may be on its way out with the request that had this name before. A Secret that is not ours is not
        // watched; so
        // it is looked for again now and then.
        return Patience.with(request, view.now())
                .<Decision<Step>>map(Decision::finish)
                .orElseGet(() -> Said.of(BucketAccessRequestPhase.SECRET_IN_USE, "SecretInUse", message)
                        .thenRest(request, view.now(), Result.retry(message)));
    }

    private static Said lost(BucketAccessRequest request) {
        return Said.of(
                BucketAccessRequestPhase.ACCESS_LOST,
                "BucketAccessLost",
                "An administrator deleted BucketAccess " + request.getSpec().bucketAccessName()
                        + ", so access is revoked. Delete this request and make a new one.");
    }
}
