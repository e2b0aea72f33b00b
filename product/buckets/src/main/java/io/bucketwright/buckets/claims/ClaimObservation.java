package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ContentDigest;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.BoundStore;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.access.ClaimIdentity;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One claim as the caches and the in-flight state show it.
 *
 * @param claim empty if the claim with this uid no longer exists
 * @param bucket the ObjectBucket that belongs to the claim's uid, whatever its name
 * @param nameReused whether another claim of the same namespace and name exists
 * @param nameTaken whether {@code obc-<namespace>-<name>} is the ObjectBucket of another claim
 * @param namespaceUid the uid of the claim's namespace; empty if unknown
 * @param objects the names of Secret and ConfigMap
 * @param sharers how many other claims use a bucket of the same name, if this one is to be released; otherwise 0
 * @param bound how the store of the ObjectBucket is reached; empty if there is none, or if its parameters are invalid
 * @param store the store of the ObjectBucket, or of the class if there is none; empty if neither has a valid one
 * @param failure the last failed attempt
 */
record ClaimObservation(
        ObjectKey key,
        Optional<ObjectBucketClaim> claim,
        ResolvedClass bucketClass,
        Optional<RecordedBucket> bucket,
        boolean nameReused,
        boolean nameTaken,
        String namespaceUid,
        ApplicationObjects objects,
        ChildObject<Secret> secret,
        ChildObject<ConfigMap> configMap,
        int sharers,
        Optional<BoundStore> bound,
        Optional<ClassStore> store,
        ClaimState state,
        Optional<FailedAttempt> failure,
        Moment moment,
        Instant now) {

    /** The claim as a store records it in ownership tags. */
    ClaimIdentity identity() {
        return new ClaimIdentity(key.namespace(), namespaceUid, key.name());
    }

    /** How long until an event; not positive if it is over, empty if there is none. */
    Optional<Duration> left(ClaimState.Event event) {
        return state.at(event).map(at -> at.since(moment));
    }

    /** Whether an event is not longer ago than that. */
    boolean isWithin(Duration limit, ClaimState.Event event) {
        return state.at(event)
                .filter(at -> moment.since(at).compareTo(limit) < 0)
                .isPresent();
    }

    /** Whether this process or an earlier one may have sent a request for options that the store did not confirm. */
    boolean expectsLateOptions(RecordedBucket recorded) {
        return state.expectsLate(moment)
                || (recorded.options().isEmpty() && !state.has(ClaimState.Fact.OPTIONS_OPENED));
    }

    /** The administrator's key that credentials are made of now; empty if they are not, or if it is not known yet. */
    Optional<String> issuer() {
        return store.flatMap(ClassStore::issuer);
    }

    /** The claim's Secret, unless it is being deleted. */
    Optional<ChildObject.Owned<Secret>> currentSecret() {
        return secret instanceof ChildObject.Owned<Secret> owned && !owned.isBeingDeleted()
                ? Optional.of(owned)
                : Optional.empty();
    }

    Attempt attempt(Operation operation) {
        return new Attempt(operation, this);
    }

    /** The failure that forbids this operation now. A store that requests to wait forbids every call to it. */
    Optional<FailedAttempt> blocking(Operation operation) {
        return failure.filter(
                failed -> failed.blocks(operation, inputs()) || (operation.callsStore() && failed.holds()));
    }

    /** Reports a problem that only a change of a watched object solves. */
    Decision<ClaimStep> report(Problem problem) {
        return report(problem, Result.requiresChange(problem.message()));
    }

    Decision<ClaimStep> report(String reason, String message) {
        return report(Problem.requiresChange(reason, message));
    }

    private Decision<ClaimStep> report(Problem problem, Result result) {
        return claim.map(found -> report(found, ClaimStatus.of(problem, found.phase()), result))
                .or(() -> bucket.map(orphan -> report(orphan.object(), ReadyCondition.of(problem), result)))
                .orElse(Decision.finish(result));
    }

    /** Without a claim there is no status to write. An event on the ObjectBucket is sent when a status would be written. */
    private Decision<ClaimStep> report(ObjectBucket orphan, ReadyCondition problem, Result result) {
        String summary = problem.reason() + " " + (problem.messageVaries() ? "" : problem.message());
        return summary.equals(state.reported())
                ? Decision.finish(result)
                : Decision.act(new ClaimStep.SendEvent(orphan, problem.reason(), problem.message(), summary));
    }

    /** Reports why a deletion is not complete yet; empty if the claim shows it, or there is no claim. */
    Optional<Decision<ClaimStep>> reportProgress(String reason, String message) {
        ReadyCondition progress = ReadyCondition.notReady(reason, message).informational(true);
        return claim.flatMap(found -> new ClaimStatus(found.phase(), progress).write(this, found));
    }

    /** The ObjectBucket of a claim that failed has failed too, unless the API server rejects writes: perhaps this one. */
    private Decision<ClaimStep> report(ObjectBucketClaim found, ClaimStatus status, Result result) {
        boolean rejected = blocking(Operation.WRITE).isPresent();
        return bucket.map(RecordedBucket::object)
                .filter(_ -> !rejected && bucket.get().findIntent().isPresent())
                .filter(object -> status.phase() == Phase.FAILED && object.phase() == Phase.PENDING)
                .map(object -> Decision.<ClaimStep>act(new ClaimStep.SetBucketPhase(object, Phase.FAILED)))
                .orElseGet(() -> status.thenFinish(this, found, result));
    }

    /** Reports the failure that forbids this operation now; empty if there is none. */
    Optional<Decision<ClaimStep>> reportBlocked(Operation operation) {
        return blocking(operation).map(failed -> report(failed.problem(), failed.result()));
    }

    /** The step, unless a failure of the same operation blocks it: then the failure is reported. */
    Decision<ClaimStep> unlessBlocked(Operation operation, Function<Attempt, ClaimStep> step) {
        return reportBlocked(operation).orElseGet(() -> Decision.act(step.apply(attempt(operation))));
    }

    /** What a failure depends on, as one text. While it is unchanged, a retry has to wait for the back-off. */
    String inputs() {
        return ContentDigest.of(Map.of(
                "claim",
                claim.map(found -> found.getMetadata().getGeneration() + " " + Metadata.inputs(found))
                        .orElse("absent"),
                "bucket",
                bucket.map(RecordedBucket::object)
                        .map(found -> found.getSpec().reclaimPolicy() + " " + Metadata.inputs(found))
                        .orElse("absent"),
                "class",
                bucketClass.toString(),
                "sharers",
                Integer.toString(sharers),
                "administrator",
                store.map(ClassStore::administratorVersion).orElse("")));
    }
}
