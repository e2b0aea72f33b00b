package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.claims.VerificationDecision.Verification;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.stores.BoundStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.micrometer.core.instrument.Counter;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The claim controller: observes the caches and the in-flight state, decides, acts.
 *
 * @param reclaimed counts buckets that were released although their claim no longer existed
 */
public record ClaimController(
        ClaimCaches caches,
        ClassLookup classes,
        InFlightState<ObjectKey, ClaimState> states,
        TimeSource time,
        ClaimWrites cluster,
        StoreActs store,
        Counter reclaimed) {

    public static void register(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, ClaimLimits limits) {
        InFlightState<ObjectKey, ClaimState> states = context.inFlight(ClaimState.NONE);
        ClaimCaches caches = new ClaimCaches(context.caches(), settings);
        BucketSharing sharing = new BucketSharing(stores, caches.usersByBucket);
        ClassLookup classes = new ClassLookup(caches.classes, settings, stores, new ConcurrentHashMap<>());
        ConcurrencyLimits<ObjectKey> callsByStore = new ConcurrencyLimits<>(limits.storeCalls(), limits.workers());
        StoreActs acts = new StoreActs(
                settings,
                stores,
                states,
                new ConcurrentHashMap<>(),
                limits,
                callsByStore,
                new OrphanAdoption(
                        caches,
                        context.reader(),
                        settings::serves,
                        sharing,
                        context.time(),
                        ConcurrentHashMap.newKeySet(),
                        new ConcurrentHashMap<>()),
                sharing,
                caches::reclaim,
                context.events());
        caches.claims.listen(acts);
        caches.classes.listen(classes);
        ClaimController claims = new ClaimController(
                caches,
                classes,
                states,
                context.time(),
                new ClaimWrites(
                        settings,
                        context.writer(),
                        context.reader(),
                        context.events(),
                        states,
                        context.metrics(),
                        context.time()),
                acts,
                // From the start: an increase from a value that nobody has seen is none for Prometheus.
                OrphanController.reclaimed(context, OrphanController.BUCKET));
        new ClaimMetrics(caches, classes, settings, context.time()).register(context.metrics());
        context.controller(
                        "objectbucket-obc-buckets",
                        new LoopReconciler<>(
                                context.leadership(),
                                claims::observe,
                                new ClaimDecision(settings)::decide,
                                claims::act))
                .workers(limits.workers())
                .inFlight(states)
                .limits(callsByStore)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.claims, caches::formerClaimsOf)
                .watchRelated(caches.buckets, ClaimCaches::claimsOf)
                .watchDeleted(caches.buckets, caches::ownersWaitingFor)
                .watchRelated(caches.secrets, caches::claimsOfChild)
                .watchRelated(caches.configMaps, caches::claimsOfChild)
                .watchRelated(caches.classes, caches::claimsOf)
                .watchRelated(stores.administrators(), caches::claimsOf);
    }

    ClaimObservation observe(ObjectKey key) {
        Optional<ObjectBucketClaim> named = caches.claims.get(key.namespace(), key.name());
        Optional<ObjectBucketClaim> claim = named.filter(key::names);
        Optional<RecordedBucket> bucket = caches.bucketOf(key).map(RecordedBucket::new);
        ApplicationObjects objects = bucket.map(RecordedBucket::applicationObjects)
                .or(() -> claim.map(ClaimCaches::objectsOf))
                .orElseGet(() -> caches.objectsOf(key));
        ClaimState state = states.get(key);
        Optional<BoundStore> bound = bucket.flatMap(classes::bound);
        ResolvedClass observedClass = claim.map(classes::of).orElse(new ResolvedClass.NotServed());
        Optional<BucketClass> storeClass = bucket.flatMap(
                        found -> bound.map(store -> ClassChange.reached(store, state, found)))
                .or(() -> observedClass instanceof ResolvedClass.Usable(BucketClass usable)
                        ? Optional.of(usable)
                        : Optional.empty());
        return new ClaimObservation(
                key,
                claim,
                observedClass,
                bucket,
                named.isPresent() && claim.isEmpty(),
                caches.isNameTaken(key),
                caches.namespaceUid(key.namespace()),
                objects,
                ChildObject.of(caches.secrets, key, objects.secret(), ChildObject::ofSecret),
                ChildObject.of(caches.configMaps, key, objects.configMap(), ChildObject::ofConfigMap),
                // They matter only when a new bucket is to be destroyed.
                claim.filter(found -> !Metadata.isBeingDeleted(found)).isPresent()
                        ? 0
                        : bucket.map(this::sharers).orElse(0),
                bound,
                storeClass.flatMap(classes::store),
                state,
                states.failure(key),
                time.moment(),
                time.now());
    }

    private int sharers(RecordedBucket bucket) {
        return bucket.findIntent()
                .filter(intent ->
                        intent.bucketOrigin().filter(BucketOrigin.NEW::equals).isPresent())
                .map(intent -> store.sharing().count(intent.bucketName()))
                .orElse(0);
    }

    /** A write that the API server rejects is reported on the claim, and a rejected status by an event. */
    Outcome act(ObjectKey key, ClaimStep step) {
        try {
            return carryOut(key, step);
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid)) {
                throw e;
            }
            Problem problem = ClaimDecision.rejected(e.error());
            if (step instanceof ClaimStep.SetClaimStatus(ObjectBucketClaim claim, ClaimStatus _)) {
                cluster.warn(claim, problem);
                throw e;
            }
            states.recordFailure(key, Operation.WRITE, observe(key).inputs(), problem);
            return Outcome.progress();
        }
    }

    private Outcome carryOut(ObjectKey key, ClaimStep step) {
        return switch (step) {
            case ClaimStep.Release release -> release(release);
            case ClaimStep.StoreStep call -> store.act(call);
            case ClaimStep.ApiStep write -> cluster.act(key, write);
            case ClaimStep.ReclaimOrphan(ClaimStep.Release release) ->
                cluster.isNameInUse(key) ? Outcome.progress() : release(release);
            case ClaimStep.ScheduleVerification(Verification verification) -> {
                states.update(key, state -> state.withVerification(verification));
                yield Outcome.progress();
            }
        };
    }

    private Outcome release(ClaimStep.Release step) {
        Outcome outcome = store.act(step);
        ObjectKey key = step.attempt().key();
        boolean orphan = step.attempt().observed().claim().isEmpty();
        if (orphan
                && states.find(key)
                        .filter(state -> state.has(ClaimState.Fact.RELEASED))
                        .isPresent()) {
            reclaimed.increment();
        }
        return outcome;
    }
}
