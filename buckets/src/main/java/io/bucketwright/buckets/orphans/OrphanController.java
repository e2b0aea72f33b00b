package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.claims.ClaimOfBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Index;
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

/** Puts the orphan controller together. */
public final class OrphanController {

    private static final int WORKERS = 2;

    private OrphanController() {}

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<OrphanKey> of(ControllerContext parts, OrphanRules rules) {
        ObjectCache<ObjectBucketClaim> claims = parts.caches().of(ObjectBucketClaim.class, Scope.everything());
        ObjectCache<ObjectBucket> buckets = parts.caches().of(ObjectBucket.class, Scope.everything());
        Index<ObjectBucket> byClaim = buckets.indexBy(bucket ->
                ClaimOfBucket.of(bucket).map(ObjectKey::uid).map(List::of).orElse(List.of()));
        OrphanLoop loop = new OrphanLoop(parts, rules, claims, buckets, byClaim);
        WorkQueue<OrphanKey> queue =
                new WorkQueue<>("orphans", parts.time(), Backoff.standard(), new SecureRandom(), parts.meters());
        return new Controller<>(
                        "orphans",
                        new LoopReconciler<>(loop, parts.leadership()),
                        queue,
                        parts.leadership(),
                        WORKERS,
                        parts.meters())
                .watch(buckets, OrphanKey.Bucket::new)
                .watchRelated(buckets, OrphanController::claimOf)
                .watch(claims, OrphanKey.Claim::new)
                .watchRelated(claims, claim -> bucketsOf(byClaim, claim));
    }

    private static Collection<OrphanKey> claimOf(ObjectBucket bucket) {
        return ClaimOfBucket.of(bucket)
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
