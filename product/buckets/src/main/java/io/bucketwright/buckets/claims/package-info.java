/**
 * The controller of ObjectBucketClaims. {@link io.bucketwright.buckets.claims.ClaimController} reads the caches into a
 * {@link io.bucketwright.buckets.claims.ClaimObservation}; {@link io.bucketwright.buckets.claims.ClaimDecision} chooses
 * the next {@link io.bucketwright.buckets.claims.ClaimStep}, one write to the API server or one call to the store.
 * Everything needed to release a bucket is in its ObjectBucket before the store is called; the in-flight state
 * ({@link io.bucketwright.buckets.claims.ClaimState}) can be lost at any moment.
 * {@link io.bucketwright.buckets.claims.UsageMeasurement} is optional, and independent of the controller.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.claims;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
