package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.cosi.controller.steps.OperationMetrics;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.metrics.StatusLabels;
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

    private static final String KIND = "BucketClaim";

    private final BucketClaimCaches caches;
    private final InFlightState<ObjectKey, InFlightClaim> inFlight;
    private final ControllerContext context;

    private BucketClaimController(ControllerContext context) {
        this.context = context;
        this.caches = new BucketClaimCaches(context.caches());
        this.inFlight = context.inFlight(InFlightClaim.NONE);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the controller. All of them are optional. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private int workers = 8;

        private Builder() {
            super(REPORTER);
        }

        /** How many claims are reconciled at the same time. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            new BucketClaimController(context).register(workers);
        }
    }

    private void register(int workers) {
        BucketClaimActs acts = new BucketClaimActs(context, inFlight, new OperationMetrics(context.meters()));
        context.metrics().claims(KIND, () -> caches.claims.list().stream().map(this::labels));
        context.controller("bucketclaims", this::observe, BucketClaimController::decide, acts::act)
                .workers(workers)
                .inFlight(inFlight)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf)
                .watchRelated(caches.accesses, caches::claimsOf);
    }

    /** Empty if the claim does not exist. */
    private Optional<BucketClaimView> observe(ObjectKey key) {
        return caches.claims.get(key.namespace(), key.name()).filter(key::names).map(claim -> view(key, claim));
    }

    private BucketClaimView view(ObjectKey key, BucketClaim claim) {
        InFlightClaim state = inFlight.get(key);
        return new BucketClaimView(
                claim,
                caches.bucketOf(claim),
                caches.classes.get("", claim.spec().bucketClassName()),
                caches.accessesOf(claim),
                state,
                inFlight.failure(key),
                context.time().moment(),
                context.time().now());
    }

    private static Decision<BucketClaimStep> decide(Optional<BucketClaimView> view) {
        return view.map(found -> new BucketClaimDecision(found).decide()).orElseGet(Decision::done);
    }

    private StatusLabels labels(BucketClaim claim) {
        String reason =
                inFlight.find(ObjectKey.of(claim)).map(InFlightClaim::reason).orElse("");
        return StatusLabels.of(claim, claim.status().bucketReady() ? "Bound" : StatusLabels.PENDING, reason);
    }
}
