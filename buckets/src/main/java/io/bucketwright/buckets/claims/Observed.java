package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one claim.
 *
 * @param claim empty if this life of it is over
 * @param bucket the ObjectBucket that tells of this claim's uid, whatever its name
 * @param nameTaken whether {@code obc-<namespace>-<name>} is another claim's ObjectBucket
 * @param sharers how many other claims have access to the same bucket
 */
record Observed(
        ObjectKey key,
        Optional<ObjectBucketClaim> claim,
        ClassView bucketClass,
        Optional<ObjectBucket> bucket,
        boolean nameTaken,
        Child<Secret> secret,
        Child<ConfigMap> configMap,
        long sharers,
        Recollection memory,
        Instant now) {}
