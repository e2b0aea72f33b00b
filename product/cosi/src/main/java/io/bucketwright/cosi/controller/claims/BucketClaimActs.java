package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.controller.steps.OperationMetrics;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.Map;

/** Carries out the steps for BucketClaims. */
record BucketClaimActs(
        ControllerContext context, InFlightState<ObjectKey, InFlightClaim> inFlight, OperationMetrics metrics) {

    private static final String BIND = "Bind";
    private static final String RELEASE = "Release";

    Outcome act(BucketClaimStep step) {
        BucketClaim claim = step.claim();
        switch (step) {
            case BucketClaimStep.Protect _ -> {
                context.writer()
                        .merge(
                                claim,
                                Metadata.patch(claim)
                                        .withFinalizer(ReleasedNames.CLAIM_FINALIZER)
                                        .fields());
                progressed(claim, unready(claim));
            }
            case BucketClaimStep.UpdateStatus(BucketClaim _, String bucketName, boolean ready) -> {
                context.writer().mergeStatus(claim, Map.of("bucketName", bucketName, "bucketReady", ready));
                if (ready && !claim.status().bucketReady()) {
                    reportReady(claim, bucketName);
                }
                progressed(claim, !ready);
            }
            case BucketClaimStep.Create create -> {
                return create(create);
            }
            case BucketClaimStep.Bind(BucketClaim _, ReleasedBucket bucket) -> {
                context.writer().merge(bucket, Map.of("spec", Map.of("bucketClaim", reference(claim))));
                progressed(claim, unready(claim));
            }
            case BucketClaimStep.Delete(BucketClaim _, ReleasedBucket bucket) -> {
                context.writer().delete(bucket);
                progressed(claim, false);
            }
            case BucketClaimStep.Release(BucketClaim _, ReleasedBucket bucket) -> release(claim, bucket);
            case BucketClaimStep.RemoveFinalizer(BucketClaim _) -> removeFinalizer(claim, "");
            case BucketClaimStep.Wait(BucketClaim _, String reason) ->
                inFlight.update(
                        ObjectKey.of(claim),
                        state -> state.waiting(reason, context.time().moment()));
            case BucketClaimStep.Report report -> report(report);
            case BucketClaimStep.ReportReady(BucketClaim _, ReleasedBucket bucket) -> {
                reportReady(claim, bucket.getMetadata().getName());
                progressed(claim, false);
            }
        }
        return Outcome.progress();
    }

    /** A refusal that an administrator can end is reported on the claim; it is not only logged. */
    private Outcome create(BucketClaimStep.Create step) {
        BucketClaim claim = step.claim();
        try {
            context.writer().create(bucket(claim, step.bucketClass()));
            progressed(claim, unready(claim));
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.Forbidden) && !(e.error() instanceof ApiError.Invalid)) {
                throw e;
            }
            inFlight.recordFailure(
                    ObjectKey.of(claim),
                    BucketClaimDecision.CREATE,
                    BucketClaimDecision.inputs(step.bucketClass()),
                    Problem.of(e.error(), ReleasedReason.FAILED_CREATE_BUCKET));
        }
        return Outcome.progress();
    }

    private static ReleasedBucket bucket(BucketClaim claim, ReleasedBucketClass bucketClass) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(ReleasedNames.bucketOf(claim.getMetadata().getUid()))
                .build());
        bucket.setSpec(new ReleasedBucketSpec(
                bucketClass.getDriverName(),
                bucketClass.getMetadata().getName(),
                reference(claim),
                claim.spec().protocols(),
                bucketClass.getParameters(),
                bucketClass.getDeletionPolicy(),
                ""));
        return bucket;
    }

    /** As v0.2.2 writes it. */
    private static ObjectReference reference(BucketClaim claim) {
        return new ObjectReferenceBuilder()
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .build();
    }

    private void release(BucketClaim claim, ReleasedBucket bucket) {
        removeFinalizer(claim, bucket.spec().driverName());
        context.events()
                .normal(
                        bucket,
                        ReleasedReason.BUCKET_RETAINED,
                        RELEASE,
                        "BucketClaim " + claim.getMetadata().getNamespace() + "/"
                                + claim.getMetadata().getName()
                                + " was deleted. The bucket and this Bucket remain. To use it again, name another claim"
                                + " in spec.bucketClaim, without uid.");
    }

    private void removeFinalizer(BucketClaim claim, String driver) {
        context.writer().merge(claim, Metadata.withoutFinalizer(claim, ReleasedNames.CLAIM_FINALIZER));
        boolean ready = claim.status().bucketReady();
        metrics.record(
                new Operation(
                        driver.isEmpty() ? Operation.UNKNOWN_DRIVER : driver,
                        claim.getKind(),
                        ready ? "Delete" : "Create",
                        ready ? OperationMetrics.Status.SUCCEEDED : OperationMetrics.Status.CANCELED,
                        Instant.parse(
                                ready
                                        ? claim.getMetadata().getDeletionTimestamp()
                                        : claim.getMetadata().getCreationTimestamp())),
                context.time().now());
        progressed(claim, false);
    }

    private void report(BucketClaimStep.Report report) {
        BucketClaim claim = report.claim();
        String action = Metadata.isBeingDeleted(claim) ? RELEASE : BIND;
        if (report.warning()) {
            context.events().warning(claim, report.reason(), action, report.message());
        } else {
            context.events().normal(claim, report.reason(), action, report.message());
        }
        inFlight.update(ObjectKey.of(claim), state -> state.reported(report.reason(), report.message()));
    }

    private void reportReady(BucketClaim claim, String bucketName) {
        context.events().normal(claim, ReleasedReason.BOUND, BIND, "Bucket " + bucketName + " is ready.");
        context.metrics().bound(claim.getKind(), claim, context.time().now());
    }

    private boolean unready(BucketClaim claim) {
        return inFlight.get(ObjectKey.of(claim)).unready();
    }

    private void progressed(BucketClaim claim, boolean unready) {
        inFlight.update(ObjectKey.of(claim), state -> state.progressed(unready));
    }
}
