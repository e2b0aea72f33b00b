package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.InFlightState;
import java.util.Optional;

/** Reads everything about a claim from the caches and the in-flight state. */
record ClaimObserver(
        ClaimCaches caches, ClassLookup classes, InFlightState<ObjectKey, ClaimState> states, TimeSource time) {

    ClaimObservation observe(ObjectKey key) {
        Optional<ObjectBucketClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        Optional<RecordedBucket> bucket = caches.bucketOf(key).map(RecordedBucket::new);
        return new ClaimObservation(
                key,
                claim,
                claim.map(classes::of).orElse(new ObservedClass.NotServed()),
                bucket,
                caches.isNameTaken(key),
                ChildObject.ofSecret(
                        caches.secrets.get(key.namespace(), key.name()).orElse(null), key),
                ChildObject.ofConfigMap(
                        caches.configMaps.get(key.namespace(), key.name()).orElse(null), key),
                bucket.flatMap(RecordedBucket::findIntent).map(caches::sharers).orElse(0L),
                states.get(key),
                states.failure(key),
                time.now());
    }
}
