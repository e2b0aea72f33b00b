package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimState.Event;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimState.Provisioned;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimGrants;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ContentDigest;
import io.bucketwright.buckets.objects.IssuedCredentials;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Decides about a claim with an ObjectBucket: the steps to Bound, and afterwards drift, rotation and options. */
record BoundClaimDecision(
        ProvisionerSettings settings,
        ClaimObservation observed,
        ObjectBucketClaim claim,
        RecordedBucket bucket,
        RotationRequest rotation) {

    private static final Duration CACHE_LAG = Duration.ofMillis(200);
    private static final Duration TRY_AGAIN = Duration.ofMinutes(1);

    static BoundClaimDecision of(
            ProvisionerSettings settings, ClaimObservation observed, ObjectBucketClaim claim, RecordedBucket bucket) {
        RotationRequest rotation =
                RotationRequest.of(claim, bucket, observed.issuer().orElse(""), observed.now());
        return new BoundClaimDecision(settings, observed, claim, bucket, rotation);
    }

    /**
     * Decides that way, but whatever the claim waits for, a previous key ends, and access to a bucket that has another owner now:
     * most of that can be edited by those who use the key.
     */
    Decision<ClaimStep> orEndAccess(Decision<ClaimStep> next) {
        boolean waits =
                !(next instanceof Decision.Act<ClaimStep>(ClaimStep step)) || step instanceof ClaimStep.SetClaimStatus;
        // New credentials that are not published yet are no previous ones; the former ended when they were issued.
        if (!waits || !bucket.complete() || observed.state().provisioned().isPresent()) {
            return next;
        }
        Optional<Decision<ClaimStep>> record = recordIssued();
        boolean rejected = observed.blocking(Operation.WRITE).isPresent();
        if (rejected
                && (record.isPresent()
                        || bucket.grants().endingId().equals(observed.state().ended()))) {
            return next;
        }
        // Of two operations that fail, each would make the claim forget that the other one must wait.
        boolean others = hasOtherFailure();
        return record.or(() -> others && observed.isWithin(TRY_AGAIN, Event.END_TRIED)
                        ? Optional.empty()
                        : deletePreviousKey())
                .or(() -> others ? Optional.empty() : verification().step())
                .orElseGet(() -> next instanceof Decision.Finish<ClaimStep>(Result result)
                        ? Decision.finish(orSooner(result))
                        : next);
    }

    /** Reports that the claim is not served because of its size, unless the store has lost what it had. */
    Decision<ClaimStep> tooLarge(Problem problem) {
        Optional<ClaimStatus> lost = verification().status();
        return lost.isEmpty() ? observed.report(problem) : lost.get().thenFinish(observed, claim, Result.done());
    }

    private VerificationDecision verification() {
        return new VerificationDecision(observed, claim, bucket, settings.verifyInterval());
    }

    Decision<ClaimStep> decide() {
        if (Metadata.isBeingDeleted(bucket.object())) {
            return bucketBeingDeleted();
        }
        Map<String, ?> missing = ClaimMetadata.missingOnClaim(
                claim,
                settings,
                bucket.origin(),
                bucket.intent().bucketName(),
                bucket.object().getMetadata().getName(),
                bucket.applicationObjects());
        return restoredName()
                .or(() -> patch(claim, missing))
                .or(() -> correct(new ObjectBucketContent(settings).corrections(bucket)))
                .orElseGet(this::afterMetadata);
    }

    private static Optional<Decision<ClaimStep>> patch(HasMetadata object, Map<String, ?> fields) {
        return fields.isEmpty() ? Optional.empty() : Optional.of(Decision.act(new ClaimStep.Patch(object, fields)));
    }

    /** Corrects the ObjectBucket. A reclaim policy that somebody made more destructive is also reported. */
    private Optional<Decision<ClaimStep>> correct(Map<String, ?> fields) {
        boolean policy = fields.get("spec") instanceof Map<?, ?> spec && spec.containsKey("reclaimPolicy");
        return policy
                ? Optional.of(Decision.act(new ClaimStep.RevertReclaimPolicy(
                        bucket.object(), fields, bucket.intent().reclaimPolicy())))
                : patch(bucket.object(), fields);
    }

    private Decision<ClaimStep> afterMetadata() {
        try {
            bucket.bucketClass();
        } catch (Invalid e) {
            return observed.report(StoreProblems.of(e));
        }
        try {
            ClaimOptions options = ClaimOptions.read(claim, bucket.bucketClass(), bucket.origin());
            bucket.applicationObjects().requireUnchanged(ApplicationObjects.of(claim, bucket.bucketClass()));
            // First the Secret, then everything else that can drift, then what changes with the claim or with time.
            return change().follow(options)
                    .or(() -> credentials(options))
                    .or(this::drift)
                    .or(this::deletePreviousKey)
                    .orElseGet(() -> apply(options));
        } catch (Invalid e) {
            return withInvalidOptions(e);
        }
    }

    /** The steps until the Secret holds the credentials that the ObjectBucket records; empty if it does. */
    private Optional<Decision<ClaimStep>> credentials(ClaimOptions options) {
        boolean recorded =
                bucket.complete() && bucket.endpointUnchanged() && !(rotation instanceof RotationRequest.Due);
        if (recorded
                && ((observed.currentSecret().filter(bucket::matches).isPresent() && bucket.uses(options.renames()))
                        || isDeferred(options))) {
            return Optional.empty();
        }
        Optional<Provisioned> provisioned = observed.state().provisioned();
        if (provisioned.isPresent()) {
            return Optional.of(publish(provisioned.get(), options));
        }
        return observed.state()
                .unrecorded()
                .savedData()
                .flatMap(data -> secret(data, IssuedCredentials.of(bucket, data)))
                .or(this::recordIssued)
                .or(() -> Optional.of(
                        switch (observed.secret()) {
                            case ChildObject.NotOwned<Secret> _ ->
                                observed.report(ClaimDecision.notOwned("Secret", observed));
                            case ChildObject.Owned<Secret> owned
                            when bucket.complete() && owned.isBeingDeleted() ->
                                Decision.act(
                                        new ClaimStep.ReplaceSecret(observed.attempt(Operation.SECRET), owned.bare()));
                            case ChildObject.Absent<Secret> _
                            when bucket.complete() && !observed.state().has(Fact.SECRET_ABSENT) ->
                                observed.unlessBlocked(Operation.SECRET, ClaimStep.ReadSecret::new);
                            case ChildObject<Secret> _ -> provision(options);
                        }));
    }

    /** The Secret holds credentials that were not recorded because of a crash. Pods may use them already. */
    private Optional<Decision<ClaimStep>> recordIssued() {
        return issued().filter(_ -> bucket.complete())
                // A key that the ledger has was replaced: whatever the Secret says, it ends.
                .filter(issued -> bucket.grants().mayHaveOthers(issued.keyId()))
                // Otherwise it is an old Secret that somebody has put back, and its key may not exist any more.
                .filter(issued -> issued.replacedKey().equals(bucket.grants().keyId()))
                .filter(this::isInSecret)
                .map(issued -> Decision.act(ClaimStep.record(
                        bucket,
                        ObjectBucketContent.withIssued(
                                bucket, issued, bucket.grants().found(grant(issued), overlapEnd())))));
    }

    private boolean isInSecret(IssuedCredentials issued) {
        return observed.currentSecret().filter(issued::matches).isPresent();
    }

    private Optional<IssuedCredentials> issued() {
        return observed.secret() instanceof ChildObject.Owned<Secret> secret
                ? IssuedCredentials.in(secret.bare())
                : Optional.empty();
    }

    private ClassChange change() {
        return new ClassChange(observed, bucket);
    }

    private Decision<ClaimStep> provision(ClaimOptions options) {
        if (!bucket.complete()
                && !(bucket.setOptions().contains(options.applied()) && bucket.hasStoreOptions(options))) {
            return Decision.act(new ClaimStep.Patch(
                    bucket.object(),
                    ObjectBucketContent.withOptionsOfNewBucket(
                            bucket.setOptions().with(options.applied()), options)));
        }
        if (observed.namespaceUid().isEmpty()) {
            // The cache of namespaces is behind that of claims. The ownership tag must contain the uid.
            return Decision.finish(Result.requeueAfter(CACHE_LAG));
        }
        // What the Secret holds is published, also before the ObjectBucket records it.
        String key = bucket.complete()
                ? bucket.grants().keyId()
                : issued().map(IssuedCredentials::keyId).orElse("");
        Set<String> published = key.isEmpty() ? Set.of() : Set.of(key);
        return observed.unlessBlocked(
                Operation.CREDENTIALS, attempt -> new ClaimStep.Provision(attempt, options, published));
    }

    /** Writes Secret, ConfigMap and ObjectBucket, in this order. */
    private Decision<ClaimStep> publish(Provisioned returned, ClaimOptions options) {
        ProvisionedBucket provisioned = returned.bucket();
        if (!bucket.complete()
                && options.tls()
                && !provisioned.connection().endpoint().secure()) {
            return observed.report(StoreProblems.tlsMissing(bucket.intent().storageClassName()));
        }
        ConnectionData data = bucket.connectionData(provisioned, options.renames());
        String key = provisioned.credentials().keyId().orElse("");
        IssuedCredentials received = IssuedCredentials.of(bucket, key, data, returned.issuer());
        Optional<IssuedCredentials> kept = keptAfterCrash(received, returned.keptKey());
        String previous = kept.isPresent() ? "" : returned.keptKey();
        return (kept.isPresent() ? Optional.<Decision<ClaimStep>>empty() : secret(data, received))
                .or(() -> configMap(data.config()))
                .orElseGet(() -> Decision.act(ClaimStep.record(
                        bucket,
                        ObjectBucketContent.completed(
                                bucket,
                                provisioned,
                                kept.orElse(received),
                                options,
                                observed.state().settledOptions(observed.moment()),
                                grants(kept.orElse(received), previous, kept.isPresent())))));
    }

    private ClaimGrants grants(IssuedCredentials issued, String previous, boolean isKept) {
        return previousKeyUntil(previous, isKept)
                .map(until -> bucket.grants().issued(grant(issued), previous, until))
                .orElseGet(() -> bucket.grants().issued(grant(issued)));
    }

    private Grant grant(IssuedCredentials issued) {
        return bucket.grants().grant(bucket, issued, rotatedFor(), observed.now());
    }

    /** The key in the Secret since before a crash, if pods may use it: the received one is then deleted as a late key. */
    private Optional<IssuedCredentials> keptAfterCrash(IssuedCredentials received, String keptKey) {
        return issued().filter(_ -> !bucket.complete())
                .filter(found -> !found.keyId().isEmpty() && found.keyId().equals(keptKey))
                .filter(received::replaces)
                .filter(this::isInSecret);
    }

    /** When all other keys of the principal are deleted; empty if there can be none. */
    private Optional<Instant> previousKeyUntil(String previous, boolean unpublished) {
        if (!previous.isEmpty()) {
            return Optional.of(overlapEnd());
        }
        return unpublished || !observed.state().has(Fact.INTENT_CREATED)
                ? Optional.of(observed.now().plus(StoreCall.LATE))
                : Optional.empty();
    }

    private Instant overlapEnd() {
        return observed.now().plus(bucket.bucketClass().rotationOverlap());
    }

    private Optional<Decision<ClaimStep>> secret(ConnectionData data, IssuedCredentials issued) {
        return write(
                observed.secret(),
                ContentDigest.ofSecret(data.secret()),
                bucket.secretKeys(),
                Operation.SECRET,
                attempt -> new ClaimStep.WriteSecret(attempt, data, issued));
    }

    private Optional<Decision<ClaimStep>> configMap(Map<String, String> content) {
        if (observed.objects().singleSecret()) {
            return Optional.empty();
        }
        return write(
                observed.configMap(),
                ContentDigest.ofEach(content),
                bucket.config().keySet(),
                Operation.CONFIG_MAP,
                attempt -> new ClaimStep.WriteConfigMap(attempt, content));
    }

    /**
     * The step towards a Secret or ConfigMap with that content; empty if it has it.
     *
     * @param content a digest of each value
     * @param former keys that the controller wrote before; those that the content lacks must be removed
     */
    private Optional<Decision<ClaimStep>> write(
            ChildObject<?> child,
            Map<String, String> content,
            Set<String> former,
            Operation operation,
            Function<Attempt, ClaimStep> write) {
        String kind = operation == Operation.SECRET ? "Secret" : "ConfigMap";
        return switch (child) {
            case ChildObject.NotOwned<?> _ -> Optional.of(observed.report(ClaimDecision.notOwned(kind, observed)));
            case ChildObject.Owned<?> owned when owned.isBeingDeleted() -> Optional.of(letDelete(kind, owned.bare()));
            case ChildObject.Owned<?> owned when owned.contains(content, former) -> Optional.empty();
            case ChildObject<?> _ -> Optional.of(observed.unlessBlocked(operation, write));
        };
    }

    /** Removes the finalizer of a child. If others have finalizers too, the watch reports when these are removed. */
    private Decision<ClaimStep> letDelete(String kind, HasMetadata bare) {
        return ClaimMetadata.hasFinalizer(bare)
                ? Decision.act(ClaimStep.removeFinalizer(bare))
                : Decision.finish(
                        Result.requiresChange(
                                kind + " " + observed.key().namespace() + "/"
                                        + bare.getMetadata().getName()
                                        + " is being deleted and waits for finalizers of others; it is created again after that"));
    }

    /** A claim whose options became invalid keeps its bucket and its former options; everything else goes on. */
    private Decision<ClaimStep> withInvalidOptions(Invalid e) {
        Problem problem = StoreProblems.of(e);
        if (!bucket.complete()) {
            return observed.report(problem);
        }
        ClaimOptions former =
                ClaimOptions.former(bucket.ownOptions(), bucket.bucketClass(), bucket.setOptions(), bucket.options());
        return change().follow(former)
                .or(() -> credentials(former))
                .or(this::drift)
                .or(this::deletePreviousKey)
                .orElseGet(() -> finish(former, formerOptions(problem)));
    }

    private Optional<Decision<ClaimStep>> drift() {
        return configMap(bucket.config())
                .or(() -> metadata(observed.secret()))
                .or(() -> metadata(observed.configMap()));
    }

    private Optional<Decision<ClaimStep>> metadata(ChildObject<?> child) {
        return child instanceof ChildObject.Owned<?> owned
                ? patch(owned.bare(), ClaimMetadata.missing(owned.bare(), settings.allLabels()))
                : Optional.empty();
    }

    private Optional<Decision<ClaimStep>> deletePreviousKey() {
        String ending = bucket.grants().endingId();
        if (ending.isEmpty() || overlapLeft().isPositive()) {
            return Optional.empty();
        }
        if (ending.equals(observed.state().ended())) {
            return Optional.of(Decision.act(ClaimStep.record(
                    bucket,
                    ObjectBucketContent.withGrants(bucket, bucket.grants().without(ending)))));
        }
        return Optional.of(observed.unlessBlocked(Operation.PREVIOUS_KEY, ClaimStep.DeletePreviousKey::new));
    }

    private Decision<ClaimStep> apply(ClaimOptions options) {
        boolean applied = options.digest().equals(bucket.options());
        Optional<Duration> again = observed.left(Event.OPTIONS_AGAIN);
        boolean confirmed = options.digest().equals(observed.state().appliedOptions());
        boolean waits = confirmed && again.filter(Duration::isPositive).isPresent();
        if (waits || (applied && options.applied().equals(bucket.setOptions()))) {
            return finish(options, ClaimStatus.bound(bucket.intent().bucketName()));
        }
        if ((!applied && !bucket.options().isEmpty()) || !bucket.setOptions().contains(options.applied())) {
            return recordOptions(options);
        }
        if (confirmed && again.isEmpty()) {
            return Decision.act(ClaimStep.record(bucket, ObjectBucketContent.withOptions(options)));
        }
        Optional<FailedAttempt> failed = observed.blocking(Operation.OPTIONS);
        if (failed.isEmpty()) {
            boolean last = (confirmed && again.isPresent()) || !observed.expectsLateOptions(bucket);
            return Decision.act(new ClaimStep.ApplyOptions(observed.attempt(Operation.OPTIONS), options, last));
        }
        return finish(options, formerOptions(failed.get().problem())) instanceof Decision.Act<ClaimStep> act
                ? act
                : Decision.finish(failed.get().result());
    }

    /** Intent before effect: without this record, nobody would know what to remove after a crash. */
    private Decision<ClaimStep> recordOptions(ClaimOptions options) {
        boolean changes = !bucket.options().isEmpty();
        return Decision.act(new ClaimStep.Patch(
                bucket.object(),
                ObjectBucketContent.withOptionsToSet(bucket.setOptions().with(options.applied())),
                state -> changes ? state.with(Fact.OPTIONS_OPENED) : state));
    }

    private Decision<ClaimStep> finish(ClaimOptions options, ClaimStatus status) {
        if (bucket.object().phase() != Phase.BOUND) {
            return Decision.act(new ClaimStep.SetBucketPhase(bucket.object(), Phase.BOUND));
        }
        VerificationDecision verification = verification();
        Result result = change().failure().map(FailedAttempt::result).orElseGet(this::nextTime);
        if (!status.isBound()) {
            return status.thenFinish(observed, claim, result);
        }
        return verification
                .step()
                .orElseGet(() -> verification.isUnconfirmed()
                        ? Decision.finish(result)
                        : verification
                                .status()
                                .or(() -> warning(options))
                                .orElse(status)
                                .thenFinish(observed, claim, result));
    }

    /**
     * Whether new credentials have to wait: a principal has at most two keys, and both are in use. Others may have edited the
     * Secret, or the claim renames its keys. A Secret that no longer exists cannot wait.
     */
    private boolean isDeferred(ClaimOptions options) {
        return bucket.grants().isRetiring()
                && overlapLeft().isPositive()
                && observed.state().provisioned().isEmpty()
                && observed.currentSecret()
                        .filter(secret -> !(bucket.matches(secret) && bucket.uses(options.renames())))
                        .isPresent();
    }

    private static ClaimStatus formerOptions(Problem problem) {
        ClaimStatus status = ClaimStatus.boundWithWarning(
                ClaimReason.OPTIONS_NOT_APPLIED, "The bucket is ready, with its former options: " + problem.message());
        return problem.isRetried() ? status.varying() : status;
    }

    /** What the owner of a claim that is ready needs to know. */
    private Optional<ClaimStatus> warning(ClaimOptions options) {
        if (isDeferred(options)) {
            return ready(
                    ClaimReason.WAITING_FOR_PREVIOUS_KEY,
                    "The Secret was edited, or the claim renames its keys; it gets new credentials at "
                            + bucket.grants().end()
                            + ", when the previous key expires. Delete the Secret to get them"
                            + " now: the previous key then ends at once.");
        }
        if (!bucket.hasStoreOptions(options)) {
            return Optional.of(formerOptions(Problem.requiresChange(
                    ClaimReason.OPTIONS_NOT_APPLIED,
                    "those of the store are used only when the bucket is created. Change them back in the claim, or"
                            + " create another claim.")));
        }
        Optional<ClaimStatus> notFollowed = change().warning();
        if (notFollowed.isPresent()) {
            return notFollowed;
        }
        if (rotation instanceof RotationRequest.Outdated(Instant until)) {
            return ready(
                    ClaimReason.WAITING_FOR_PREVIOUS_KEY,
                    "The administrator replaced the key that its credentials are made of; it gets new"
                            + " ones at " + until + ", when the previous key expires. Do not disable the replaced key"
                            + " before. Delete the Secret to get them now: the previous key then ends at once.");
        }
        if (options.tls() && "false".equals(bucket.config().get("BUCKET_SSL"))) {
            Problem problem = StoreProblems.tlsMissing(bucket.intent().storageClassName());
            return Optional.of(ClaimStatus.boundWithWarning(problem.reason(), problem.message()));
        }
        return rotation instanceof RotationRequest.Invalid(String annotation)
                ? ready(
                        ClaimReason.INVALID_ROTATE_AT,
                        "The annotation " + RotationRequest.ANNOTATION + " must be a time such"
                                + " as 2030-01-31T12:00:00Z, and is " + SafeText.quoted(annotation) + ".")
                : Optional.empty();
    }

    private static Optional<ClaimStatus> ready(String reason, String message) {
        return Optional.of(ClaimStatus.readyBut(reason, message));
    }

    private Decision<ClaimStep> bucketBeingDeleted() {
        String message =
                bucket + " is being deleted, which cannot be undone. It stays, and the bucket works, until this"
                        + " claim is deleted: move the data to a new claim.";
        ClaimStatus status = claim.phase() == Phase.BOUND
                ? ClaimStatus.boundWithWarning(ClaimReason.OBJECT_BUCKET_DELETING, message)
                : ClaimStatus.of(Problem.requiresChange(ClaimReason.OBJECT_BUCKET_DELETING, message), claim.phase());
        return status.thenFinish(observed, claim, Result.done());
    }

    /** The request that a rotation completes; empty if none requested it. */
    private String rotatedFor() {
        return rotation instanceof RotationRequest.Due(String annotation) ? annotation : "";
    }

    /**
     * How long the previous key stays valid: until the recorded time, and, if this process issued the current one, until the
     * overlap has passed on a clock that nobody sets.
     */
    private Duration overlapLeft() {
        Duration left = Duration.between(observed.now(), bucket.grants().end());
        return observed.state()
                .at(Event.OVERLAP_END)
                .filter(_ -> bucket.grants().isRetiring())
                .map(until -> until.since(observed.moment()))
                .filter(longer -> longer.compareTo(left) > 0)
                .orElse(left);
    }

    /** Schemas of others allow to change the name of the bucket. The controller restores it and reports that. */
    private Optional<Decision<ClaimStep>> restoredName() {
        String name = bucket.intent().bucketName();
        String summary = "BucketNameRestored " + claim.getMetadata().getGeneration();
        return claim.getSpec()
                .bucket()
                .filter(written -> bucket.origin() == BucketOrigin.NEW && !written.equals(name))
                .filter(_ -> !summary.equals(observed.state().reported()))
                .map(written -> Decision.act(new ClaimStep.SendEvent(
                        claim,
                        ClaimReason.BUCKET_NAME_RESTORED,
                        "spec.bucketName was changed to " + SafeText.quoted(written) + ". A claim cannot change its"
                                + " bucket: it is bound to " + name + ". Create another claim for another bucket.",
                        summary)));
    }

    /** The result of a claim that waits, unless its access has to be looked at before that. */
    private Result orSooner(Result result) {
        Optional<Duration> ends = expires().map(left -> left.isPositive() ? left : TRY_AGAIN);
        Optional<Duration> next = soonest(Stream.of(
                ends,
                hasOtherFailure() ? Optional.<Duration>empty() : verification().nextTime()));
        return switch (result) {
            case Result.Retry _ -> result;
            case Result.RequeueAfter(Duration after) ->
                next.filter(left -> left.compareTo(after) < 0)
                        .map(Result::requeueAfter)
                        .orElse(result);
            case Result.Done _, Result.Pending _, Result.RequiresChange _ ->
                next.map(Result::requeueAfter).orElse(result);
        };
    }

    /** Whether something failed that has nothing to do with the end of access. */
    private boolean hasOtherFailure() {
        return observed.failure()
                .filter(failed ->
                        failed.operation() != Operation.PREVIOUS_KEY && failed.operation() != Operation.VERIFY)
                .isPresent();
    }

    /** When the previous key ends; empty if there is none. */
    private Optional<Duration> expires() {
        return bucket.grants().ending().isEmpty() ? Optional.empty() : Optional.of(overlapLeft());
    }

    /**
     * When the claim has to be looked at again: at its rotation, at the end of the previous key, or to verify that the store
     * has its bucket.
     */
    private Result nextTime() {
        // A rotation that is requested during an overlap begins when that ends.
        Optional<Duration> rotates = rotation instanceof RotationRequest.Scheduled(Instant at)
                        && bucket.grants().ending().isEmpty()
                ? Optional.of(Duration.between(observed.now(), at))
                : Optional.empty();
        return soonest(Stream.of(
                        rotates,
                        expires(),
                        observed.left(Event.OPTIONS_AGAIN),
                        verification().nextTime(),
                        change().nextTime()))
                .map(Result::requeueAfter)
                .orElse(Result.done());
    }

    private static Optional<Duration> soonest(Stream<Optional<Duration>> times) {
        return times.flatMap(Optional::stream)
                .min(Duration::compareTo)
                .map(left -> left.isNegative() ? Duration.ZERO : left);
    }
}
