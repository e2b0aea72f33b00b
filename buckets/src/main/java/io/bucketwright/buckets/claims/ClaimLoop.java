package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Optional;

/** The claim controller: observes the caches and the in-flight state, decides, acts. */
record ClaimLoop(
        ClaimCaches caches,
        ClassLookup classes,
        InFlightState<ObjectKey, ClaimState> states,
        TimeSource time,
        ClaimDecision decision,
        ApiServerActs cluster,
        ChildActs children,
        StoreActs store)
        implements DecisionLoop<ObjectKey, ClaimObservation, ClaimStep> {

    @Override
    public ClaimObservation observe(ObjectKey key) {
        Optional<ObjectBucketClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        Optional<RecordedBucket> bucket = caches.bucketOf(key).map(RecordedBucket::new);
        return new ClaimObservation(
                key,
                claim,
                claim.map(classes::of).orElse(new ObservedClass.NotServed()),
                bucket,
                caches.isNameTaken(key),
                ChildObject.of(caches.secrets, key, ChildObject::ofSecret),
                ChildObject.of(caches.configMaps, key, ChildObject::ofConfigMap),
                bucket.flatMap(RecordedBucket::findIntent).map(caches::sharers).orElse(0L),
                states.get(key),
                states.failure(key),
                time.now());
    }

    @Override
    public Decision<ClaimStep> decide(ClaimObservation observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(ClaimStep step) {
        return switch (step) {
            case ClaimStep.StoreStep call -> store.act(call);
            case ClaimStep.ApiStep write -> cluster.act(write);
            case ClaimStep.ReadSecret read -> children.read(read);
            case ClaimStep.WriteSecret write -> children.write(write);
            case ClaimStep.ReplaceSecret replace -> children.replace(replace);
            case ClaimStep.WriteConfigMap write -> children.write(write);
        };
    }
}
