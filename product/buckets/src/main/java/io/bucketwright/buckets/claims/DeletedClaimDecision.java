package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimState.Event;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.OnNotEmpty;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides about a claim that is being deleted or no longer exists: first the store releases the bucket, then Secret,
 * ConfigMap, ObjectBucket and claim lose their finalizers, in this order.
 */
record DeletedClaimDecision(ProvisionerSettings settings, ClaimObservation observed) {

    private static final long LARGEST_STEP = 100_000;

    Decision<ClaimStep> decide() {
        boolean orphan = observed.claim().isEmpty();
        if (observed.bucket().isPresent()) {
            RecordedBucket bucket = observed.bucket().get();
            if (orphan && !Metadata.isBeingDeleted(bucket.object())) {
                Optional<Decision<ClaimStep>> first = beforeOrphanIsReleased(bucket);
                if (first.isPresent()) {
                    return first.get();
                }
            }
            if (!observed.state().has(Fact.RELEASED)) {
                return release(bucket, orphan);
            }
        } else {
            Optional<Decision<ClaimStep>> first = lost();
            if (first.isPresent()) {
                return first.get();
            }
        }
        return children()
                .or(() -> observed.bucket().flatMap(bucket -> delete(bucket.object())))
                .or(() -> observed.claim()
                        .filter(ClaimMetadata::hasFinalizer)
                        .filter(this::isFinalizerOwned)
                        .map(ClaimStep::removeFinalizer))
                .map(Decision::act)
                .orElse(Decision.done());
    }

    /**
     * The claim no longer exists, and nobody deleted the ObjectBucket: somebody removed the claim's finalizer. Its access
     * must end, and without a claim nobody else would end it. A claim of the same name with another uid shows that the former
     * one no longer exists; if it was restored from a backup, it gets the bucket with credentials of its own.
     */
    private Optional<Decision<ClaimStep>> beforeOrphanIsReleased(RecordedBucket bucket) {
        ClaimState state = observed.state();
        if (!state.has(Fact.ORPHAN_REPORTED)) {
            return Optional.of(Decision.act(new ClaimStep.SendEvent(
                    bucket.object(),
                    ClaimReason.ORPHANED,
                    "The claim " + observed.key()
                            + " of this ObjectBucket no longer exists, although the controller did not remove its"
                            + " finalizer. " + nextSteps(bucket),
                    known -> known.with(Fact.ORPHAN_REPORTED))));
        }
        if (!settings.reclaimOrphans()) {
            return Optional.empty();
        }
        // The orphan controller deletes the ObjectBucket after a grace period; the reclaim policy applies only then.
        if (!state.has(Fact.ACCESS_REVOKED)) {
            Optional<Decision<ClaimStep>> first = new ClassChange(observed, bucket).reachBeforeRelease();
            return first.isPresent()
                    ? first
                    : Optional.of(observed.unlessBlocked(
                            Operation.RELEASE,
                            attempt -> new ClaimStep.Release(attempt, ReleaseMode.END_ACCESS, OnNotEmpty.BLOCK, true)));
        }
        // The new claim of that name needs the names of Secret and ConfigMap.
        Optional<ClaimStep> step = observed.nameReused() ? children() : Optional.empty();
        return Optional.of(step.map(Decision::act)
                .orElse(Decision.finish(Result.requiresChange(bucket + " has no claim and is not deleted yet"))));
    }

    private String nextSteps(RecordedBucket bucket) {
        String revoked =
                "The controller revokes access to bucket " + bucket.intent().bucketName() + ". ";
        if (!settings.reclaimOrphans()) {
            return revoked + "The bucket stays in the store, and this ObjectBucket is deleted.";
        }
        if (observed.nameReused()) {
            return revoked + "The bucket stays in the store, because a claim of the same name exists.";
        }
        return revoked
                + switch (mode(bucket)) {
                    case DELETE ->
                        "The bucket stays in the store until this ObjectBucket is deleted; then it is deleted.";
                    case ERASE ->
                        "The bucket stays in the store. Its objects are deleted after this ObjectBucket is deleted.";
                    case SUSPEND, RETAIN, REVOKE, END_ACCESS, UNADOPT ->
                        "The bucket stays in the store, also after this ObjectBucket is deleted.";
                };
    }

    private Optional<ClaimStep> children() {
        return child(observed.secret(), Secret.class).or(() -> child(observed.configMap(), ConfigMap.class));
    }

    /**
     * The claim has a finalizer and no ObjectBucket, and this process has not released it. The ObjectBucket of a claim that was
     * Bound is deleted after Secret and ConfigMap: if these do not exist either, another process has released it, and a
     * suspended user must stay.
     */
    private Optional<Decision<ClaimStep>> lost() {
        return observed.claim()
                .filter(ClaimMetadata::hasFinalizer)
                .filter(LostBucketDecision::hadBucket)
                .filter(claim -> !observed.state().has(Fact.RELEASED) && isFinalizerOwned(claim))
                .flatMap(claim -> hasChildren()
                        ? new LostBucketDecision(settings, observed, claim).decideDeletion()
                        : find(observed.secret(), Secret.class)
                                .or(() -> find(observed.configMap(), ConfigMap.class))
                                .map(Decision::act));
    }

    private boolean hasChildren() {
        return Stream.of(observed.secret(), observed.configMap())
                .anyMatch(child -> child instanceof ChildObject.Owned<?> owned
                        && delete(owned.bare()).isPresent());
    }

    private Decision<ClaimStep> release(RecordedBucket bucket, boolean orphan) {
        if (bucket.object().phase() != Phase.RELEASED) {
            return Decision.act(new ClaimStep.SetBucketPhase(bucket.object(), Phase.RELEASED));
        }
        if (Metadata.annotation(bucket.object(), ObjectBucketNames.ABANDON_ANNOTATION)
                .equals("true")) {
            return Decision.act(new ClaimStep.SendEvent(
                    bucket.object(),
                    ClaimReason.ABANDONED,
                    "Because of the annotation " + ObjectBucketNames.ABANDON_ANNOTATION + ", bucket "
                            + bucket.intent().bucketName()
                            + " and its user stay in the store. Nothing in this cluster manages them any more.",
                    ClaimState::withReleased));
        }
        boolean nameInUse = observed.nameReused() || observed.state().has(Fact.NAME_IN_USE);
        boolean revokesOnly = orphan && (!settings.reclaimOrphans() || nameInUse);
        ReleaseMode byPolicy = mode(bucket);
        // An administrator's Retain is not in the tags: without a release, a claim created again would undo it.
        boolean retained = byPolicy == ReleaseMode.RETAIN && bucket.isRetainedByAdministrator();
        ReleaseMode mode = revokesOnly && !retained ? ReleaseMode.REVOKE : byPolicy;
        boolean destroys = mode == ReleaseMode.DELETE || mode == ReleaseMode.ERASE;
        return observed.reportBlocked(Operation.RELEASE)
                .or(() -> new ClassChange(observed, bucket).reachBeforeRelease())
                .or(() -> waitForLateRequests(bucket))
                .or(() -> reportPurge(bucket))
                .orElseGet(() -> {
                    boolean last = observed.state().at(Event.RELEASED_ONCE).isPresent() || !expectsLateRequests(bucket);
                    ClaimStep.Release release =
                            new ClaimStep.Release(observed.attempt(Operation.RELEASE), mode, onNotEmpty(bucket), last);
                    return Decision.act(orphan && destroys ? new ClaimStep.ReclaimOrphan(release) : release);
                });
    }

    /**
     * Whether the store may have received a request that it did not confirm: the request timed out, or the process that sent it
     * crashed. It may carry out the request after the bucket was released.
     */
    private boolean expectsLateRequests(RecordedBucket bucket) {
        return bucket.complete()
                ? bucket.grants().expectsLateKeys(observed.now()) || observed.expectsLateOptions(bucket)
                : !observed.state().has(Fact.INTENT_CREATED) || observed.state().expectsLate(observed.moment());
    }

    private Optional<Decision<ClaimStep>> waitForLateRequests(RecordedBucket bucket) {
        return observed.state()
                .at(Event.RELEASED_ONCE)
                .map(at -> observed.state().delay().minus(observed.moment().since(at)))
                .filter(Duration::isPositive)
                .map(left -> observed.reportProgress(
                                ClaimReason.DELETING,
                                "The store may not have confirmed a request for bucket "
                                        + bucket.intent().bucketName()
                                        + " or its credentials, and may still carry it out, or accept credentials that are"
                                        + " deleted. The controller releases both again after "
                                        + observed.state().delay().toSeconds()
                                        + " seconds. No action is needed.")
                        .orElse(Decision.finish(Result.requeueAfter(left))));
    }

    private Optional<Decision<ClaimStep>> reportPurge(RecordedBucket bucket) {
        long purged = observed.state().purged();
        return purged == 0
                ? Optional.empty()
                : observed.reportProgress(
                        ClaimReason.DELETING,
                        "The objects in bucket " + bucket.intent().bucketName() + " are being deleted: "
                                + String.format(Locale.ROOT, "%,d", atLeast(purged))
                                + " or more objects, versions and uploads so far. No action is needed.");
    }

    /** A round number, so that the status is written seldom: 1, 2, 5, 10, 20, 50 …, and multiples of the largest step. */
    static long atLeast(long count) {
        if (count >= LARGEST_STEP) {
            return count - count % LARGEST_STEP;
        }
        long power = 1;
        while (power * 10 <= count) {
            power *= 10;
        }
        return count >= 5 * power ? 5 * power : count >= 2 * power ? 2 * power : power;
    }

    /** The intent decides, unless an administrator has changed the reclaim policy of the ObjectBucket to Retain. */
    private static ReleaseMode mode(RecordedBucket bucket) {
        ReleaseMode recorded = mode(bucket.intent());
        boolean isNew = recorded != ReleaseMode.REVOKE && recorded != ReleaseMode.UNADOPT;
        return isNew && bucket.isRetainedByAdministrator() ? ReleaseMode.RETAIN : recorded;
    }

    /** Depends only on the intent, not on the class as it is today. */
    static ReleaseMode mode(BucketIntent intent) {
        if (intent.bucketOrigin().orElse(BucketOrigin.EXISTING) == BucketOrigin.EXISTING) {
            boolean named = !intent.parameters()
                    .getOrDefault(ClassParameters.BUCKET_NAME, "")
                    .isBlank();
            return named ? ReleaseMode.REVOKE : ReleaseMode.UNADOPT;
        }
        return switch (intent.policy().orElse(ReclaimPolicy.RETAIN)) {
            case DELETE -> ReleaseMode.DELETE;
            case RETAIN -> ReleaseMode.RETAIN;
            case ERASE -> ReleaseMode.ERASE;
            case SUSPEND -> ReleaseMode.SUSPEND;
        };
    }

    private static OnNotEmpty onNotEmpty(RecordedBucket bucket) {
        String requested = Metadata.annotation(bucket.object(), ObjectBucketNames.ON_NOT_EMPTY_ANNOTATION);
        String recorded = bucket.intent().parameters().getOrDefault(ClassParameters.ON_NOT_EMPTY, "");
        return requested.equalsIgnoreCase("purge") || recorded.strip().equalsIgnoreCase("purge")
                ? OnNotEmpty.PURGE
                : OnNotEmpty.BLOCK;
    }

    /** A child that is not in the cache may only lack its label. The claim waits for the finalizer, so it is looked for. */
    private Optional<ClaimStep> child(ChildObject<?> child, Class<? extends HasMetadata> type) {
        return switch (child) {
            case ChildObject.Owned<?> owned
            when ClaimMetadata.hasFinalizer(owned.bare()) ->
                Optional.of(ClaimStep.removeFinalizer(owned.bare(), state -> state.withFound(type)));
            case ChildObject.Owned<?> owned -> delete(owned.bare());
            case ChildObject.Absent<?> _ when observed.bucket().isPresent() -> find(child, type);
            case ChildObject.Absent<?> _, ChildObject.NotOwned<?> _ -> Optional.empty();
        };
    }

    private Optional<ClaimStep> find(ChildObject<?> child, Class<? extends HasMetadata> type) {
        if (!(child instanceof ChildObject.Absent<?>) || observed.state().hasFound(type)) {
            return Optional.empty();
        }
        ApplicationObjects objects = observed.objects();
        return Optional.of(
                new ClaimStep.FindChild(type, type == Secret.class ? objects.secret() : objects.configMap()));
    }

    /** The next step of deleting an object; empty if only finalizers of others are left. */
    private static Optional<ClaimStep> delete(HasMetadata object) {
        if (ClaimMetadata.hasFinalizer(object)) {
            return Optional.of(ClaimStep.removeFinalizer(object));
        }
        return Metadata.isBeingDeleted(object) ? Optional.empty() : Optional.of(new ClaimStep.Delete(object));
    }

    /** All provisioners use the same finalizer: bucket, class or annotation show which of them added it. */
    private boolean isFinalizerOwned(ObjectBucketClaim claim) {
        return switch (observed.bucketClass()) {
            case ResolvedClass.Usable _, ResolvedClass.Unusable _, ResolvedClass.SeveralDefaults _ -> true;
            case ResolvedClass.Missing _, ResolvedClass.NotServed _ ->
                observed.bucket().isPresent()
                        || observed.state().has(Fact.RELEASED)
                        || settings.isProvisioner(Metadata.annotation(claim, ObjectBucketNames.PROVISIONER_ANNOTATION));
        };
    }
}
