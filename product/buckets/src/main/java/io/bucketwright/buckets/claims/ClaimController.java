package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.adoption.FormerClaims;
import io.bucketwright.buckets.adoption.OrphanAdoption;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.requests.ApplicationObjects;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.sharing.BucketSharing;
import io.bucketwright.buckets.stores.BoundStore;
import io.bucketwright.buckets.stores.ReleaseReports;
import io.bucketwright.buckets.stores.StoreRoutes;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import java.util.Map;
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
        ApiServerActs cluster,
        ChildActs children,
        StoreActs store,
        Counter reclaimed) {

    /** Registers the controller, and returns how the stores of bound claims are reached. */
    public static StoreRoutes register(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, ClaimLimits limits) {
        InFlightState<ObjectKey, ClaimState> states = context.inFlight(ClaimState.NONE);
        ClaimCaches caches = new ClaimCaches(context.caches(), settings);
        BucketSharing sharing = new BucketSharing(stores, caches.usersByBucket);
        ClassLookup classes = new ClassLookup(caches.classes, settings, stores, new ConcurrentHashMap<>());
        ActiveCalls active = new ActiveCalls();
        ConcurrencyLimits<ObjectKey> callsByStore = new ConcurrencyLimits<>(limits.storeCalls(), limits.workers());
        caches.claims.listen(active);
        caches.classes.listen(classes);
        ClaimController claims = new ClaimController(
                caches,
                classes,
                states,
                context.time(),
                new ApiServerActs(
                        context.writer(),
                        context.reader(),
                        context.events(),
                        states,
                        context.metrics(),
                        context.time()),
                new ChildActs(settings, context.writer(), context.reader(), states),
                new StoreActs(
                        settings,
                        stores,
                        states,
                        active,
                        limits,
                        callsByStore,
                        new OrphanAdoption(
                                new FormerClaims(caches.claims, caches.buckets, context.reader()),
                                context.events(),
                                settings::serves,
                                sharing,
                                ConcurrentHashMap.newKeySet(),
                                new ConcurrentHashMap<>(),
                                context.time()),
                        sharing,
                        caches::reclaim,
                        new ReleaseReports(context.events())),
                // From the start: an increase from a value that nobody has seen is none for Prometheus.
                OrphanController.reclaimed(context, OrphanController.BUCKET));
        new ClaimMetrics(caches, classes, settings, context.time()).register(context.metrics());
        context.controller("claims", claims::observe, new ClaimDecision(settings)::decide, claims::act)
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
        return new StoreRoutes(stores, classes::current);
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
        ObservedClass observedClass = claim.map(classes::of).orElse(new ObservedClass.NotServed());
        Optional<BucketClass> storeClass = bucket.flatMap(
                        found -> bound.map(store -> ClassChange.reached(store, state, found)))
                .or(() -> observedClass instanceof ObservedClass.Usable(BucketClass usable)
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

    Outcome act(ClaimStep step) {
        try {
            return carryOut(step);
        } catch (ApiException e) {
            boolean rejected = e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid;
            if (!rejected || !report(step, ClaimDecision.rejected(e.error()))) {
                throw e;
            }
            return Outcome.progress();
        }
    }

    private Outcome carryOut(ClaimStep step) {
        return switch (step) {
            case ClaimStep.Release release -> release(release);
            case ClaimStep.StoreStep call -> store.act(call);
            case ClaimStep.ApiStep write -> cluster.act(children.complete(write));
            case ClaimStep.ReclaimOrphan(ClaimStep.Release release) ->
                cluster.isNameInUse(release.attempt().key()) ? Outcome.progress() : release(release);
            case ClaimStep.ScheduleVerification(ObjectKey key, StoreVerification verification) -> {
                states.update(key, state -> state.withVerification(verification));
                yield Outcome.progress();
            }
            case ClaimStep.ReadSecret read -> children.read(read);
            case ClaimStep.FindChild(ObjectKey key, Class<? extends HasMetadata> type, String name) ->
                children.find(key, type, name);
            case ClaimStep.WriteSecret write -> children.write(write);
            case ClaimStep.MoveSecret move -> children.move(move);
            case ClaimStep.ReplaceSecret replace -> children.replace(replace);
            case ClaimStep.WriteConfigMap write -> children.write(write);
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

    /** Whether the next decision reports the problem on the claim. A rejected status cannot be: there is an event instead. */
    private boolean report(ClaimStep step, Problem problem) {
        Optional<ObjectKey> key = keyOf(step);
        if (step instanceof ClaimStep.SetClaimStatus(ObjectKey _, ObjectBucketClaim claim, ClaimStatus _)) {
            cluster.warn(claim, problem);
            return false;
        }
        key.map(this::observe)
                .map(observed -> observed.attempt(Operation.WRITE))
                .ifPresent(
                        attempt -> states.recordFailure(attempt.key(), attempt.operation(), attempt.inputs(), problem));
        return key.isPresent();
    }

    private static Optional<ObjectKey> keyOf(ClaimStep step) {
        return switch (step) {
            case ClaimStep.StoreStep call -> Optional.of(call.attempt().key());
            case ClaimStep.RecordIntent intent -> Optional.of(intent.key());
            case ClaimStep.Patch(HasMetadata object, Map<String, ?> _) -> claimOf(object);
            case ClaimStep.Delete(HasMetadata object) -> claimOf(object);
            case ClaimStep.SetBucketPhase(ObjectBucket bucket, Phase _) -> claimOf(bucket);
            case ClaimStep.RevertReclaimPolicy revert -> claimOf(revert.bucket());
            case ClaimStep.OpenOptions open -> Optional.of(open.key());
            case ClaimStep.UpdateRecord update -> Optional.of(update.key());
            case ClaimStep.SetClaimStatus status -> Optional.of(status.key());
            case ClaimStep.SendEvent event -> Optional.of(event.key());
            case ClaimStep.Abandon abandon -> Optional.of(abandon.key());
            case ClaimStep.ScheduleVerification schedule -> Optional.of(schedule.key());
            case ClaimStep.ReportOrphan report -> Optional.of(report.key());
            case ClaimStep.ReclaimOrphan(ClaimStep.Release release) ->
                Optional.of(release.attempt().key());
            case ClaimStep.FindChild find -> Optional.of(find.key());
            case ClaimStep.ReleaseChild release -> Optional.of(release.key());
            case ClaimStep.ReadSecret read -> Optional.of(read.attempt().key());
            case ClaimStep.WriteSecret write -> Optional.of(write.attempt().key());
            case ClaimStep.MoveSecret move -> Optional.of(move.attempt().key());
            case ClaimStep.ReplaceSecret replace ->
                Optional.of(replace.attempt().key());
            case ClaimStep.WriteConfigMap write -> Optional.of(write.attempt().key());
        };
    }

    private static Optional<ObjectKey> claimOf(HasMetadata object) {
        return switch (object) {
            case ObjectBucketClaim claim -> Optional.of(ObjectKey.of(claim));
            case ObjectBucket bucket -> RecordedBucket.claimOf(bucket);
            default ->
                Metadata.owners(object).stream()
                        .findFirst()
                        .map(owner ->
                                new ObjectKey(object.getMetadata().getNamespace(), owner.getName(), owner.getUid()));
        };
    }
}
