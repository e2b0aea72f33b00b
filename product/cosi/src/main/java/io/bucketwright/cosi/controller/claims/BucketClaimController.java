package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.requests.OperationMetrics;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The controller of BucketClaims as released, in a process of its own or added to another one.
 *
 * {@snippet :
 * try (ControllerProcess process = BucketClaimController.builder().build()) {
 *     process.run();
 * }
 * }
 */
public final class BucketClaimController {

    /** The controller that events name as their source. */
    public static final String REPORTER = "bucketwright.io/bucketclaims";

    private static final String BIND = "Bind";
    private static final String RELEASE = "Release";

    private final BucketClaimCaches caches;
    private final InFlightState<ObjectKey, BucketClaimState> inFlight;
    private final ControllerContext context;
    private final OperationMetrics metrics;

    private BucketClaimController(ControllerContext context) {
        this.context = context;
        this.caches = new BucketClaimCaches(context.caches());
        this.inFlight = context.inFlight(BucketClaimState.NONE);
        this.metrics = new OperationMetrics(context.meters());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the controller. All of them are optional. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private Builder() {
            super(REPORTER);
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            BucketClaimController.register(context, workers());
        }
    }

    /** Registers the controller with a process. */
    static void register(ControllerContext context, int workers) {
        new BucketClaimController(context).register(workers);
    }

    private void register(int workers) {
        context.metrics()
                .claims("BucketClaim", () -> caches.claims.list().stream().map(this::labels));
        context.controller(
                        "objectstorage-bucketclaim-controller", this::observe, BucketClaimController::decide, this::act)
                .workers(workers)
                .inFlight(inFlight)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf)
                .watchRelated(caches.accesses, caches::claimsOf);
    }

    /** Empty if the claim does not exist. */
    private Optional<BucketClaimObservation> observe(ObjectKey key) {
        return caches.claims
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(claim -> new BucketClaimObservation(
                        claim,
                        caches.bucketOf(claim),
                        caches.classes.get("", claim.spec().bucketClassName()),
                        List.copyOf(caches.accessesOf(claim)),
                        inFlight.get(key),
                        inFlight.failure(key),
                        context.time().moment(),
                        context.time().now()));
    }

    private static Decision<BucketClaimStep> decide(Optional<BucketClaimObservation> view) {
        return view.map(found -> new BucketClaimDecision(found).decide()).orElseGet(Decision::done);
    }

    private StatusLabels labels(BucketClaim claim) {
        String reason =
                inFlight.find(ObjectKey.of(claim)).map(BucketClaimState::reason).orElse("");
        return StatusLabels.of(claim, claim.status().bucketReady() ? "Bound" : StatusLabels.PENDING, reason);
    }

    private Outcome act(BucketClaimStep step) {
        BucketClaim claim = step.claim();
        switch (step) {
            case BucketClaimStep.Protect _ -> {
                context.writer()
                        .merge(
                                claim,
                                Metadata.patch(claim)
                                        .withFinalizer(ReleasedNames.CLAIM_FINALIZER)
                                        .withAnnotations(Map.of(
                                                ReleasedNames.CLAIM_UID,
                                                claim.getMetadata().getUid()))
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
                bind(claim, bucket);
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

    /** What an administrator confirmed for a restored Bucket was for this claim, and for no later one. */
    private void bind(BucketClaim claim, ReleasedBucket bucket) {
        Map<String, Object> change = new HashMap<>(Metadata.patch(bucket)
                .withoutAnnotation(ReleasedNames.USE_RESTORED)
                .fields());
        change.put("spec", Map.of("bucketClaim", reference(claim)));
        context.writer().merge(bucket, change);
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
