package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Wires the orphan controller. */
public final class OrphanController {

    private static final int WORKERS = 2;

    private OrphanController() {}

    /** Call it before the caches start. */
    public static Controller<OrphanKey> of(ControllerContext context, OrphanDecision decision) {
        ObjectCache<ObjectBucketClaim> claims = context.caches().of(ObjectBucketClaim.class, Scope.everything());
        ObjectCache<ObjectBucket> buckets = context.caches().of(ObjectBucket.class, Scope.everything());
        Index<ObjectBucket> byClaim = buckets.indexBy(bucket ->
                RecordedBucket.claimOf(bucket).map(ObjectKey::uid).map(List::of).orElse(List.of()));
        OrphanLoop loop = new OrphanLoop(context, decision, claims, buckets, byClaim);
        WorkQueue<OrphanKey> queue =
                new WorkQueue<>("orphans", context.time(), Backoff.standard(), new SecureRandom(), context.meters());
        return new Controller<>(
                        "orphans",
                        new LoopReconciler<>(loop, context.leadership()),
                        queue,
                        context.leadership(),
                        WORKERS,
                        context.meters())
                .watch(buckets, OrphanKey.Bucket::new)
                .watchRelated(buckets, OrphanController::claimOf)
                .watch(claims, OrphanKey.Claim::new)
                .watchRelated(claims, claim -> bucketsOf(byClaim, claim));
    }

    private static Collection<OrphanKey> claimOf(ObjectBucket bucket) {
        return RecordedBucket.claimOf(bucket)
                .map(OrphanKey.Claim::new)
                .map(List::<OrphanKey>of)
                .orElse(List.of());
    }

    private static Collection<OrphanKey> bucketsOf(Index<ObjectBucket> byClaim, ObjectBucketClaim claim) {
        List<OrphanKey> keys = new ArrayList<>();
        byClaim.get(claim.getMetadata().getUid())
                .forEach(bucket -> keys.add(new OrphanKey.Bucket(ObjectKey.of(bucket))));
        return keys;
    }
}
