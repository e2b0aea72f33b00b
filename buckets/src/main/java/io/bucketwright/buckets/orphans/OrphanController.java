package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.engine.ControllerContext;

/** Wires the orphan controller. */
public final class OrphanController {

    private static final int WORKERS = 2;

    private OrphanController() {}

    public static void register(ControllerContext context, OrphanDecision decision) {
        ObjectCache<ObjectBucketClaim> claims = context.caches().of(ObjectBucketClaim.class, Scope.everything());
        ObjectCache<ObjectBucket> buckets = context.caches().of(ObjectBucket.class, Scope.everything());
        Index<ObjectBucket> bucketsByClaim = buckets.indexBy(bucket ->
                RecordedBucket.claimOf(bucket).stream().map(ObjectKey::uid).toList());
        OrphanLoop loop = new OrphanLoop(context, decision, claims, buckets, bucketsByClaim);
        context.controller("orphans", loop)
                .workers(WORKERS)
                .watch(buckets, OrphanKey.Bucket::new)
                .watchRelated(
                        buckets,
                        bucket -> RecordedBucket.claimOf(bucket).stream()
                                .<OrphanKey>map(OrphanKey.Claim::new)
                                .toList())
                .watch(claims, OrphanKey.Claim::new)
                .watchRelated(
                        claims,
                        claim -> bucketsByClaim.get(claim.getMetadata().getUid()).stream()
                                .<OrphanKey>map(bucket -> new OrphanKey.Bucket(ObjectKey.of(bucket)))
                                .toList());
    }
}
