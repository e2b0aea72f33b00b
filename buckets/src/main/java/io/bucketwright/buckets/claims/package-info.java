/**
 * The controller of ObjectBucketClaims. {@link io.bucketwright.buckets.claims.ClaimObserver} reads the caches into an
 * {@link io.bucketwright.buckets.claims.Observed}, {@link io.bucketwright.buckets.claims.ClaimDecision} and its three
 * chapters (beginning, binding, leaving) choose the next {@link io.bucketwright.buckets.claims.Step}, and
 * {@link io.bucketwright.buckets.claims.ClaimLoop} carries it out: one write, or one call to the store. What a bucket's
 * release needs is in its ObjectBucket before the store hears of it; what only memory knows
 * ({@link io.bucketwright.buckets.claims.Recollection}) can be lost at any moment.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.claims;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
