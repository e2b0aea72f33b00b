package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.BucketLoop;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.objects.Metadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Observes Buckets of {@code objectstorage.k8s.io} and acts for them. */
final class ReleasedBucketController {

    private final ReleasedContext context;
    private final ReleasedSidecarCaches caches;
    private final ReleasedBucketBinding binding;
    private final BucketLoop<ReleasedBucketRecord> loop;

    private ReleasedBucketController(ReleasedContext context) {
        this.context = context;
        this.caches = context.caches();
        this.binding = new ReleasedBucketBinding(
                context.runtime().writer(), context.runtime().events());
        this.loop = new BucketLoop<>(context.runtime(), context.driver(), context.workers(), binding);
    }

    /** Registers the controller with the process. */
    static void register(ReleasedContext context) {
        ReleasedBucketController buckets = new ReleasedBucketController(context);
        ReleasedSidecarCaches caches = context.caches();
        Controller<ObjectKey> controller = context.runtime()
                .controller(
                        "objectstorage-bucket-sidecar",
                        buckets::observe,
                        observed -> observed.map(ReleasedBucketDecision::decide).orElseGet(Decision::done),
                        buckets.loop.inFlight(),
                        ReleasedBucketStep.class,
                        buckets::act)
                .workers(context.workers())
                .tenants(key -> caches.buckets
                        .get("", key.name())
                        .map(ReleasedBucket::getSpec)
                        .map(spec -> spec.bucketClaim().getNamespace()))
                .limits(buckets.loop.calls())
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.claims, caches::bucketKeysOf)
                .watchRelated(caches.accesses, caches::bucketKeysOf);
        context.driver()
                .onChange(() -> caches.buckets.list().stream()
                        .filter(caches::isServed)
                        .forEach(bucket -> controller.add(ObjectKey.of(bucket))));
    }

    private Optional<ReleasedBucketObservation> observe(ObjectKey key) {
        return caches.bucket(key).map(bucket -> {
            Optional<BucketClaim> claim = caches.claimOf(bucket);
            return new ReleasedBucketObservation(
                    new ReleasedBucketRecord(bucket, claim),
                    claim.isPresent() || caches.claimOfPlace(bucket).isEmpty() ? accessesOf(bucket) : List.of(),
                    context.preconditions(),
                    loop.inFlight().get(key),
                    loop.inFlight().failure(key),
                    context.runtime().time().moment(),
                    context.runtime().time().now());
        });
    }

    private List<ReleasedBucketAccess> accessesOf(ReleasedBucket bucket) {
        return caches.accessesOf(bucket)
                .filter(access -> Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER))
                .toList();
    }

    private Outcome act(ObjectKey key, ReleasedBucketStep step) {
        switch (step) {
            case ReleasedBucketStep.InStore(ReleasedBucketRecord bucket, var inStore) -> {
                return loop.act(key, bucket, inStore);
            }
            case ReleasedBucketStep.MarkClaimReady(BucketClaim claim, ReleasedBucket bucket) ->
                binding.markReady(claim, bucket);
            case ReleasedBucketStep.DeleteAccess(ReleasedBucketAccess access) ->
                context.runtime().writer().deleteAnyVersion(access);
            case ReleasedBucketStep.RemoveClaimFinalizer(BucketClaim claim) -> binding.removeFinalizer(claim);
        }
        return Outcome.progress();
    }
}
