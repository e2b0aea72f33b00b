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

    private ReleasedClaimController() {}

    /**
     * A claim that has lost its Bucket.
     *
     * @param deleted for how long its deletion is requested
     */
    record Abandoned(BucketClaim claim, Duration deleted) {

        /** Buckets and claims are watched apart: the Bucket of a new claim may follow. */
        Decision<BucketClaim> decide() {
            Duration left = ReleasedBucketDecision.USUAL_WAIT.minus(deleted);
            return left.isPositive()
                    ? Decision.finish(Result.requeueAfter(left, ReleasedBucketDecision.USUAL_WAIT))
                    : Decision.act(claim);
        }
    }

    /** Registers the controller with the process. */
    static void register(ReleasedContext context) {
        ReleasedSidecarCaches caches = context.caches();
        ReleasedBucketBinding binding = new ReleasedBucketBinding(
                context.runtime().writer(), context.runtime().events());
        context.runtime()
                .<ObjectKey, Optional<Abandoned>, BucketClaim>controller(
                        "objectstorage-bucketclaim-sidecar",
                        key -> caches.claims
                                .get(key.namespace(), key.name())
                                .filter(key::names)
                                .filter(Metadata::isBeingDeleted)
                                .filter(claim -> Metadata.hasFinalizer(claim, ReleasedNames.CLAIM_FINALIZER))
                                .filter(claim -> !caches.hasBucket(claim))
                                .map(claim -> abandoned(
                                        claim, context.runtime().time().now())),
                        found -> found.map(Abandoned::decide).orElseGet(Decision::done),
                        claim -> {
                            binding.removeFinalizer(claim);
                            return Outcome.progress();
                        })
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimKeysOf);
    }

    private static Abandoned abandoned(BucketClaim claim, Instant now) {
        return new Abandoned(
                claim, Duration.between(Instant.parse(claim.getMetadata().getDeletionTimestamp()), now));
    }
}
