package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.engine.ControllerContext;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The claim controller: observes the caches and the in-flight state, decides, acts. */
public record ClaimController(
        ClaimCaches caches,
        ClassLookup classes,
        InFlightState<ObjectKey, ClaimState> states,
        TimeSource time,
        ApiServerActs cluster,
        ChildActs children,
        StoreActs store) {

    public static void register(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, ClaimLimits limits) {
        InFlightState<ObjectKey, ClaimState> states = context.inFlight(ClaimState.NONE);
        ClaimCaches caches = new ClaimCaches(context.caches(), settings, stores);
        ClassLookup classes =
                new ClassLookup(caches.classes, settings.provisioner(), stores, new ConcurrentHashMap<>());
        ActiveCalls active = new ActiveCalls();
        caches.claims.listen(active);
        caches.classes.listen(classes);
        ClaimController claims = new ClaimController(
                caches,
                classes,
                states,
                context.time(),
                new ApiServerActs(context.writer(), context.events(), states, context.time()),
                new ChildActs(settings, caches, context.writer(), context.reader(), states),
                new StoreActs(
                        settings,
                        stores,
                        states,
                        active,
                        limits,
                        new ConcurrentHashMap<>(),
                        ConcurrentHashMap.newKeySet()));
        context.controller("claims", claims::observe, new ClaimDecision(settings)::decide, claims::act)
                .workers(limits.workers())
                .inFlight(states)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimsOf)
                .watchRelated(caches.secrets, caches::claimsOfChild)
                .watchRelated(caches.configMaps, caches::claimsOfChild)
                .watchRelated(caches.classes, caches::claimsOf);
    }

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
                caches.namespaceUid(key.namespace()),
                ChildObject.of(caches.secrets, key, ChildObject::ofSecret),
                ChildObject.of(caches.configMaps, key, ChildObject::ofConfigMap),
                bucket.flatMap(RecordedBucket::findIntent).map(caches::sharers).orElse(0L),
                states.get(key),
                states.failure(key),
                time.now());
    }

    Outcome act(ClaimStep step) {
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
