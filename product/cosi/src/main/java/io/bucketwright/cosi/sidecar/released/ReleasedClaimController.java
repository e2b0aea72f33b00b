package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Releases claims that are being deleted and whose Bucket does not exist any more: nobody else does it beside the controller
 * of the reference implementation.
 */
final class ReleasedClaimController {

    private final ReleasedContext context;

    private ReleasedClaimController(ReleasedContext context) {
        this.context = context;
    }

    /**
     * A claim that has lost its Bucket.
     *
     * @param deleted for how long its deletion is requested
     */
    record AbandonedClaimObservation(BucketClaim claim, Duration deleted) {}

    /** When the finalizer of such a claim is removed. Pure. */
    static final class AbandonedClaimDecision {

        private AbandonedClaimDecision() {}

        /** Buckets and claims are watched apart: the Bucket of a new claim may follow. */
        static Decision<BucketClaim> decide(AbandonedClaimObservation observed) {
            Duration left = ReleasedBucketDecision.USUAL_WAIT.minus(observed.deleted());
            return left.isPositive()
                    ? Decision.finish(Result.requeueAfter(left, ReleasedBucketDecision.USUAL_WAIT))
                    : Decision.act(observed.claim());
        }
    }

    /** Registers the controller with the process. */
    static void register(ReleasedContext context) {
        ReleasedSidecarCaches caches = context.caches();
        ReleasedClaimController loop = new ReleasedClaimController(context);
        ReleasedBucketBinding binding = new ReleasedBucketBinding(
                context.runtime().writer(), context.runtime().events());
        context.runtime()
                .<ObjectKey, Optional<AbandonedClaimObservation>, BucketClaim>controller(
                        "objectstorage-bucketclaim-sidecar",
                        loop::observe,
                        observed -> observed.map(AbandonedClaimDecision::decide).orElseGet(Decision::done),
                        claim -> {
                            binding.removeFinalizer(claim);
                            return Outcome.progress();
                        })
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimKeysOf);
    }

    private Optional<AbandonedClaimObservation> observe(ObjectKey key) {
        ReleasedSidecarCaches caches = context.caches();
        Instant now = context.runtime().time().now();
        return caches.claims
                .get(key.namespace(), key.name())
                .filter(key::names)
                .filter(Metadata::isBeingDeleted)
                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                .filter(claim -> !caches.hasBucket(claim))
                .map(claim -> new AbandonedClaimObservation(
                        claim,
                        Duration.between(Instant.parse(claim.getMetadata().getDeletionTimestamp()), now)));
    }
}
