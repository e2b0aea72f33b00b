package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.claims.ClaimState.Event;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimState.Provisioned;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RequestedBucket;
import io.bucketwright.buckets.stores.BucketRelease;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The steps that call the store. An error of the store becomes a failed attempt, which the next decision sees. No request
 * is sent to the store, and none is waited for, longer than this process leads in the term of the observation.
 *
 * @param active the calls in progress: a claim that is deleted cancels its call, because nobody needs the result any more
 * @param callsByStore limits the calls of each store, by its location: classes of one store share the limit
 * @param reclaim what may happen to a new bucket when it is released
 */
record StoreActs(
        ProvisionerSettings settings,
        StoreSource stores,
        InFlightState<ObjectKey, ClaimState> states,
        Map<ObjectKey, StoreCall> active,
        ClaimLimits limits,
        ConcurrencyLimits<ObjectKey> callsByStore,
        OrphanAdoption orphans,
        BucketSharing sharing,
        Function<RecordedBucket, Reclaim> reclaim,
        EventRecorder events)
        implements CacheListener<ObjectBucketClaim> {

    @Override
    public void changed(ObjectBucketClaim before, ObjectBucketClaim after) {
        if (Metadata.isBeingDeleted(after) && !Metadata.isBeingDeleted(before)) {
            deleted(after);
        }
    }

    @Override
    public void deleted(ObjectBucketClaim last) {
        Optional.ofNullable(active.get(ObjectKey.of(last))).ifPresent(StoreCall::cancel);
    }

    Outcome act(ClaimStep.StoreStep step) {
        Attempt attempt = step.attempt();
        StoreCall call =
                StoreCall.within(limits.storeTimeout(), limits.requestTimeout(), () -> states.remaining(attempt.key()));
        active.put(attempt.key(), call);
        try {
            ClassStore classStore = stores.of(step.bucketClass());
            return callsByStore.act(
                    classStore.location(),
                    attempt.key(),
                    () -> classStore
                            .use((store, issuer) -> call(step, store, issuer, call))
                            .map(change -> {
                                states.update(attempt.key(), change);
                                states.clearFailure(attempt.key());
                                return Outcome.progress();
                            })
                            // The store releases large buckets in slices; this was one of them.
                            .orElseGet(() -> Outcome.finish(Result.requeueAfter(Duration.ZERO))));
        } catch (StoreException e) {
            if (step instanceof ClaimStep.Reach reach) {
                states.update(attempt.key(), ClassChange.unreached(reach));
            }
            if (e instanceof Unavailable) {
                // Before the next check: the same term goes on if nobody else takes the lease.
                states.update(attempt.key(), state -> state.withUnconfirmed(step));
            }
            if (states.remaining(attempt.key()).isZero()) {
                throw new LeadershipLostException("The call to the store was stopped because this process does not lead"
                        + " any more; the leader continues");
            }
            states.recordFailure(
                    attempt.key(),
                    attempt.operation(),
                    attempt.inputs(),
                    StoreProblems.of(e, attempt.operation(), usesExistingBucket(step)),
                    e instanceof Unavailable busy ? busy.retryAfter() : Duration.ZERO);
            return Outcome.progress();
        } catch (ClaimProblemException e) {
            states.recordFailure(attempt.key(), attempt.operation(), attempt.inputs(), e.problem());
            return Outcome.progress();
        } finally {
            active.remove(attempt.key(), call);
        }
    }

    private static boolean usesExistingBucket(ClaimStep.StoreStep step) {
        return step instanceof ClaimStep.Provision provision
                && provision.bucket().origin() == BucketOrigin.EXISTING;
    }

    /** Returns the new in-flight state, or nothing if another call must follow. */
    private Optional<UnaryOperator<ClaimState>> call(
            ClaimStep.StoreStep step, MeasuredStore store, String issuer, StoreCall call) {
        return switch (step) {
            case ClaimStep.CheckStore check -> {
                check(store, check);
                BucketOwner owner = settings.owner(check.attempt().key().uid());
                store.run(StoreOperation.CHECK, call, s -> s.check(call, check.bucket(), owner));
                yield Optional.of(state -> state.with(Fact.STORE_CHECKED));
            }
            case ClaimStep.Provision provision -> {
                ProvisionedBucket provisioned = provision(store, call, provision);
                String kept = kept(store, provision).stream().findFirst().orElse("");
                Moment overlapEnd = provision
                        .attempt()
                        .observed()
                        .moment()
                        .plus(provision.bucket().bucketClass().rotationOverlap());
                Provisioned returned = new Provisioned(provisioned, issuer, kept);
                yield Optional.of(state -> state.withProvisioned(
                        returned,
                        provision.first() ? provision.options().digest() : state.appliedOptions(),
                        overlapEnd));
            }
            case ClaimStep.ApplyOptions apply -> {
                RecordedBucket bucket = apply.bucket();
                ClaimOptions options = apply.options();
                states.update(apply.attempt().key(), state -> state.withAppliedOptions(""));
                requireNotReplaced(store, call, bucket);
                UpdateRequest request = new UpdateRequest(
                        bucket.bucketName(),
                        owner(bucket),
                        options.access(),
                        options.options(),
                        bucket.setOptions().without(options.applied()));
                store.run(StoreOperation.UPDATE, call, s -> s.update(call, request));
                Moment again = states.moment().plus(StoreCall.LATE);
                yield Optional.of(state -> apply.last()
                        ? state.withFinalOptions(options.digest())
                        : state.withAppliedOptions(options.digest(), again));
            }
            case ClaimStep.Verify verify -> {
                RecordedBucket bucket = verify.bucket();
                Set<MissingPart> missing = EnumSet.noneOf(MissingPart.class);
                missing.addAll(store.call(
                        StoreOperation.VERIFY,
                        call,
                        s -> s.verify(call, bucket.bucketName(), owner(bucket), bucket.publishedKey())));
                if (bucket.isShared()) {
                    missing.removeAll(Set.of(MissingPart.OWNERSHIP, MissingPart.TAGS));
                }
                yield Optional.of(state -> state.withVerification(state.verification()
                        .answered(missing, verify.interval(), verify.attempt().observed())));
            }
            case ClaimStep.Reach reach -> Optional.of(ClassChange.reach(store, call, reach, owner(reach.bucket())));
            case ClaimStep.RevokeReplaced revoke -> {
                RecordedBucket bucket = revoke.bucket();
                store.run(
                        StoreOperation.REVOKE,
                        call,
                        s -> s.revoke(call, bucket.bucketName(), owner(bucket), bucket.issuedKeys()));
                yield Optional.of(
                        state -> state.withVerification(state.verification().revoked()));
            }
            case ClaimStep.DeletePreviousKey delete -> {
                RecordedBucket bucket = delete.bucket();
                String ended = bucket.grants().endingId();
                Set<String> kept = bucket.grants().without(ended).keys();
                Moment now = delete.attempt().observed().moment();
                states.update(delete.attempt().key(), state -> state.with(Event.END_TRIED, now));
                if (store.capabilities().contains(Capability.ROTATE)) {
                    store.run(
                            StoreOperation.RETIRE, call, s -> s.retire(call, bucket.bucketName(), owner(bucket), kept));
                }
                yield Optional.of(state -> state.withEnded(ended));
            }
            case ClaimStep.RevokeLost(Attempt attempt, BucketClass bucketClass) -> {
                BucketOwner owner = settings.owner(attempt.key().uid());
                BucketName bucket = lostBucket(attempt.claim(), bucketClass, owner);
                // Nothing records what was promised about this bucket, so that nothing is reported about it.
                Progress _ = new BucketRelease(store, call, bucket, owner, _ -> {})
                        .revoke(Set.of(), AppliedOptions.ALL_OPENING);
                yield Optional.of(state -> state.with(Fact.ACCESS_REVOKED));
            }
            case ClaimStep.Release release -> {
                Duration ending = store.store().accessEndsWithin();
                Duration wait = ending.compareTo(StoreCall.LATE) > 0 ? ending : StoreCall.LATE;
                boolean mustWait = ending.isPositive()
                        && release.attempt()
                                .observed()
                                .state()
                                .at(Event.RELEASED_ONCE)
                                .isEmpty();
                if (mustWait && release.mode().givesToOthers()) {
                    Progress _ = revoke(releaseOf(store, call, release), release.bucket());
                    yield Optional.of(state -> state.withReleasedOnce(states.moment(), wait));
                }
                Optional<Progress> progress = release(store, call, release, !mustWait);
                if (progress.isEmpty()) {
                    yield Optional.of(state -> state.withReleasedOnce(states.moment(), wait));
                }
                if (progress.get() instanceof Progress.More(long removed)) {
                    states.update(step.attempt().key(), state -> state.withPurged(removed));
                    yield Optional.empty();
                }
                if (!release.last()) {
                    yield Optional.of(state -> state.withReleasedOnce(states.moment(), StoreCall.LATE));
                }
                yield Optional.of(
                        release.mode() == ReleaseMode.END_ACCESS
                                ? state -> state.with(Fact.ACCESS_REVOKED)
                                : ClaimState::withReleased);
            }
        };
    }

    private static void check(MeasuredStore store, ClaimStep.CheckStore step) {
        if (step.tls() && !store.store().offersTls()) {
            throw new ClaimProblemException(
                    StoreProblems.tlsMissing(step.bucketClass().name()));
        }
        Set<Capability> missing = EnumSet.noneOf(Capability.class);
        missing.addAll(step.required());
        missing.removeAll(store.capabilities());
        if (!missing.isEmpty()) {
            throw new Unsupported("The store of class " + step.bucketClass().name() + " does not support: "
                    + missing.stream().map(Capability::text).collect(Collectors.joining(", "))
                    + ". Remove that from the claim, or use another class.");
        }
    }

    private ProvisionedBucket provision(MeasuredStore store, StoreCall call, ClaimStep.Provision step) {
        BucketName bucket = step.bucket().bucketName();
        BucketOwner owner = owner(step.bucket());
        ClaimIdentity claim = step.attempt().observed().identity();
        boolean isNew = step.bucket().origin() == BucketOrigin.NEW;
        if (isNew && step.first()) {
            ProvisionRequest request = new ProvisionRequest(
                    bucket,
                    RequestedBucket.naming(bucket.text(), owner.uid(), settings.clusterId()),
                    owner,
                    claim,
                    reclaim.apply(step.bucket()),
                    step.options().access(),
                    step.options().options(),
                    store.store().claimOptions().parse(step.options().ofStore()),
                    step.published());
            return store.call(StoreOperation.PROVISION, call, s -> s.provision(call, request));
        }
        BucketClass bucketClass = step.bucket().bucketClass();
        if (!isNew && bucketClass.existingBucket().isEmpty()) {
            AdoptRequest request = new AdoptRequest(
                    bucket,
                    owner,
                    claim,
                    bucketClass.adoptsUntagged(),
                    bucketClass.adoptsFromAnyNamespace(),
                    bucketClass.onOpenBucket());
            boolean mayBeOrphan = step.first() && bucketClass.adoptsOrphans();
            orphans.adopt(store, call, request, mayBeOrphan)
                    .ifPresent(former -> events.normal(
                            step.attempt().claim(),
                            ClaimReason.ORPHAN_ADOPTED,
                            "Bind",
                            "The claim adopts bucket " + bucket + ". Its former claim, uid " + former.uid()
                                    + ", no longer exists, and the user of that claim is deleted."));
        } else {
            requireNotReplaced(store, call, step.bucket());
        }
        GrantRequest request =
                new GrantRequest(bucket, owner, claim, step.options().access(), kept(store, step));
        return store.call(StoreOperation.GRANT, call, s -> s.grant(call, request));
    }

    /**
     * A grant does not compare owners, because classes share buckets. A claim that was bound to a bucket of its own must not
     * get access to one that somebody else created under the same name since then.
     *
     * @throws Taken if the bucket has another owner
     */
    private void requireNotReplaced(MeasuredStore store, StoreCall call, RecordedBucket bucket) {
        if (bucket.isShared() || !store.capabilities().contains(Capability.LIST)) {
            return;
        }
        BucketRelease.tags(store, call, bucket.bucketName())
                .filter(tags -> tags.nameAnother(owner(bucket)))
                .ifPresent(tags -> {
                    throw OwnershipConflict.taken(bucket.bucketName(), tags, owner(bucket));
                });
    }

    /** A store that cannot delete single keys later must delete the previous one now: there is no overlap then. */
    private static Set<String> kept(MeasuredStore store, ClaimStep.Provision step) {
        return store.capabilities().contains(Capability.ROTATE) ? step.published() : Set.of();
    }

    /**
     * Releases the bucket.
     *
     * @param accessEnded whether the service refuses the former credentials now
     * @return empty if the bucket is kept and must not be given to others yet
     */
    private Optional<Progress> release(
            MeasuredStore store, StoreCall call, ClaimStep.Release step, boolean accessEnded) {
        RecordedBucket bucket = step.bucket();
        BucketRelease release = releaseOf(store, call, step);
        if (step.mode() == ReleaseMode.DELETE || step.mode() == ReleaseMode.ERASE) {
            sharing.others(call, release.bucket(), release.owner()).ifPresent(others -> {
                throw new ClaimProblemException(StoreProblems.shared(others, bucket));
            });
        }
        return switch (step.mode()) {
            case DELETE -> {
                if (step.onNotEmpty() == OnNotEmpty.PURGE) {
                    // Otherwise anonymous clients could write faster than the store deletes.
                    Progress _ = release.close(bucket.openingOptions());
                }
                BucketName name = release.bucket();
                BucketOwner owner = release.owner();
                Naming naming = RequestedBucket.naming(name.text(), owner.uid(), owner.clusterId());
                yield release.delete(
                        new DeleteRequest(name, owner, step.onNotEmpty(), naming, step.last(), bucket.issuedKeys()),
                        bucket.optionsToClose(),
                        accessEnded);
            }
            case ERASE -> {
                Progress _ = revoke(release, bucket);
                yield Optional.of(release.erase(step.last()));
            }
            case SUSPEND -> Optional.of(release.suspend(bucket.issuedKeys(), bucket.optionsToClose()));
            case RETAIN, UNADOPT -> {
                Progress revoked = revoke(release, bucket);
                // Before the last call, others could adopt a bucket that a late request opens.
                yield Optional.of(step.last() ? release.release() : revoked);
            }
            case REVOKE, END_ACCESS -> Optional.of(revoke(release, bucket));
        };
    }

    private static Progress revoke(BucketRelease release, RecordedBucket bucket) {
        return release.revoke(bucket.issuedKeys(), bucket.optionsToClose());
    }

    private BucketRelease releaseOf(MeasuredStore store, StoreCall call, ClaimStep.Release step) {
        return new BucketRelease(
                store, call, step.bucket().bucketName(), owner(step.bucket()), e -> reportKept(step, e));
    }

    /** Reports on claim and ObjectBucket, both of which are about to be deleted, that the store left the bucket alone. */
    private void reportKept(ClaimStep.Release step, StoreException why) {
        RecordedBucket bucket = step.bucket();
        String message = "Bucket " + bucket.intent().bucketName()
                + " was kept in the store: nothing was deleted or erased there. " + why.getMessage();
        step.attempt()
                .observed()
                .claim()
                .ifPresent(claim -> events.warning(claim, ClaimReason.BUCKET_KEPT, "Release", message));
        events.warning(bucket.object(), ClaimReason.BUCKET_KEPT, "Release", message);
    }

    /** A user's name depends only on the owner; a claim whose names were edited still has a user. */
    private BucketName lostBucket(ObjectBucketClaim claim, BucketClass bucketClass, BucketOwner owner) {
        try {
            return RequestedBucket.of(claim, bucketClass, settings.clusterId(), true)
                    .name();
        } catch (Invalid edited) {
            return new BucketName(owner.principal().text());
        }
    }

    private BucketOwner owner(RecordedBucket bucket) {
        return settings.owner(bucket.intent().claimUid());
    }
}
