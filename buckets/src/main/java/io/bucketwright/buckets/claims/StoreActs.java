package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.adoption.AdoptionRefusedException;
import io.bucketwright.buckets.adoption.OrphanAdoption;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ClaimOptions;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.requests.RequestedBucket;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The steps that call the store. An error of the store becomes a failed attempt, which the next decision sees. No request
 * is sent to the store, and none is waited for, longer than this process leads in the term of the observation.
 *
 * @param callsByStore limits the calls of each store, by its identity
 * @param adopting the buckets that are being adopted: stores read the ownership tags and then write them, so only one claim may
 *     do so at a time
 */
record StoreActs(
        ProvisionerSettings settings,
        StoreSource stores,
        InFlightState<ObjectKey, ClaimState> states,
        ActiveCalls active,
        ClaimLimits limits,
        ConcurrencyLimits<ObjectKey> callsByStore,
        Set<String> adopting,
        OrphanAdoption orphans) {

    /** The claim requires an encrypted connection, and the store offers none. */
    private static final class TlsMissing extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    Outcome act(ClaimStep.StoreStep step) {
        Attempt attempt = step.attempt();
        StoreCall call =
                StoreCall.within(limits.storeTimeout(), limits.requestTimeout(), () -> states.remaining(attempt.key()));
        active.begin(attempt.key(), call);
        try {
            ClassStore classStore = stores.of(step.bucketClass());
            return callsByStore.act(
                    classStore.identity(),
                    attempt.key(),
                    () -> classStore
                            .use(store -> call(step, store, call))
                            .map(change -> {
                                states.update(attempt.key(), change);
                                states.clearFailure(attempt.key());
                                return Outcome.progress();
                            })
                            // The store releases large buckets in slices; this was one of them.
                            .orElseGet(() -> Outcome.finish(Result.requeueAfter(Duration.ZERO))));
        } catch (StoreException e) {
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
        } catch (AdoptionRefusedException e) {
            states.recordFailure(
                    attempt.key(), attempt.operation(), attempt.inputs(), StoreProblems.orphanNotAdopted(e));
            return Outcome.progress();
        } catch (TlsMissing e) {
            states.recordFailure(
                    attempt.key(),
                    attempt.operation(),
                    attempt.inputs(),
                    StoreProblems.tlsMissing(step.bucketClass().name()));
            return Outcome.progress();
        } finally {
            active.end(attempt.key(), call);
        }
    }

    private static boolean usesExistingBucket(ClaimStep.StoreStep step) {
        return step instanceof ClaimStep.Provision provision
                && provision.bucket().origin() == BucketOrigin.EXISTING;
    }

    /** Returns the new in-flight state, or nothing if another call must follow. */
    private Optional<UnaryOperator<ClaimState>> call(ClaimStep.StoreStep step, BucketStore store, StoreCall call) {
        return switch (step) {
            case ClaimStep.CheckStore check -> {
                check(store, check);
                store.check(
                        call,
                        check.bucket(),
                        settings.owner(check.attempt().key().uid()));
                yield Optional.of(state -> state.with(Fact.STORE_CHECKED));
            }
            case ClaimStep.Provision provision -> {
                ProvisionedBucket provisioned = provision(store, call, provision);
                String kept = kept(store, provision).stream().findFirst().orElse("");
                yield Optional.of(state -> state.withProvisioned(
                        provisioned,
                        kept,
                        provision.first() ? provision.options().digest() : state.appliedOptions()));
            }
            case ClaimStep.ApplyOptions(Attempt _, RecordedBucket bucket, ClaimOptions options) -> {
                states.update(step.attempt().key(), state -> state.withAppliedOptions(""));
                requireNotReplaced(store, call, bucket);
                store.update(
                        call,
                        new UpdateRequest(
                                name(bucket),
                                owner(bucket),
                                options.access(),
                                options.options(),
                                bucket.setOptions().without(options.applied())));
                yield Optional.of(state -> state.withAppliedOptions(options.digest()));
            }
            case ClaimStep.Verify(Attempt attempt, RecordedBucket bucket, Duration interval) -> {
                Set<MissingPart> missing = EnumSet.noneOf(MissingPart.class);
                missing.addAll(store.verify(call, name(bucket), owner(bucket)));
                if (bucket.isShared()) {
                    missing.remove(MissingPart.OWNERSHIP);
                }
                Instant asked = attempt.observed().now();
                yield Optional.of(state -> state.withVerification(
                        state.verification().answered(missing, attempt.key().uid(), interval, asked)));
            }
            case ClaimStep.RevokeReplaced(Attempt _, RecordedBucket bucket) -> {
                store.revoke(call, name(bucket), owner(bucket));
                yield Optional.of(
                        state -> state.withVerification(state.verification().revoked()));
            }
            case ClaimStep.DeletePreviousKey(Attempt _, RecordedBucket bucket) -> {
                if (store.capabilities().contains(Capability.ROTATE)) {
                    store.retire(call, name(bucket), owner(bucket), Set.of(bucket.keyId()));
                }
                yield Optional.of(state -> state.withDeletedKey(bucket.previousKey()));
            }
            case ClaimStep.RevokeLost(Attempt attempt, BucketClass bucketClass, ObjectBucketClaim claim) -> {
                BucketOwner owner = settings.owner(attempt.key().uid());
                BucketName bucket = lostBucket(claim, bucketClass, owner);
                store.revoke(call, bucket, owner);
                close(store, call, bucket, owner, AppliedOptions.ALL_OPENING);
                yield Optional.of(state -> state.with(Fact.ACCESS_REVOKED));
            }
            case ClaimStep.Release release -> {
                if (release(store, call, release) instanceof Progress.More(long removed)) {
                    states.update(step.attempt().key(), state -> state.withPurged(removed));
                    yield Optional.empty();
                }
                if (!release.last()) {
                    Instant at = release.attempt().observed().now();
                    yield Optional.of(state -> state.withReleasedOnce(at));
                }
                yield Optional.of(
                        release.mode() == ReleaseMode.END_ACCESS
                                ? state -> state.with(Fact.ACCESS_REVOKED)
                                : ClaimState::withReleased);
            }
        };
    }

    private static void check(BucketStore store, ClaimStep.CheckStore step) {
        if (step.tls() && !store.offersTls()) {
            throw new TlsMissing();
        }
        Set<Capability> missing = EnumSet.noneOf(Capability.class);
        missing.addAll(step.required());
        missing.removeAll(store.capabilities());
        if (!missing.isEmpty()) {
            throw new Unsupported("The store of class " + step.bucketClass().name() + " does not support: "
                    + missing.stream().map(AllowedOptions::nameOf).collect(Collectors.joining(", "))
                    + ". Remove that from the claim, or use another class.");
        }
    }

    private ProvisionedBucket provision(BucketStore store, StoreCall call, ClaimStep.Provision step) {
        BucketName bucket = name(step.bucket());
        BucketOwner owner = owner(step.bucket());
        boolean isNew = step.bucket().origin() == BucketOrigin.NEW;
        if (isNew && step.first()) {
            return store.provision(
                    call,
                    new ProvisionRequest(
                            bucket,
                            RequestedBucket.naming(bucket.text(), owner.uid(), settings.clusterId()),
                            owner,
                            step.claim(),
                            step.options().access(),
                            step.options().options(),
                            step.published()));
        }
        BucketClass bucketClass = step.bucket().bucketClass();
        if (!isNew && bucketClass.existingBucket().isEmpty()) {
            adopt(
                    store,
                    call,
                    step,
                    new AdoptRequest(
                            bucket,
                            owner,
                            step.claim(),
                            bucketClass.adoptsUntagged(),
                            bucketClass.adoptsFromAnyNamespace(),
                            bucketClass.onOpenBucket()));
        } else {
            requireNotReplaced(store, call, step.bucket());
        }
        return store.grant(call, new GrantRequest(bucket, owner, step.options().access(), kept(store, step)));
    }

    /**
     * A grant does not compare owners, because classes share buckets. A claim that was bound to a bucket of its own must not
     * get access to one that somebody else created under the same name since then.
     *
     * @throws Taken if the bucket has another owner
     */
    private void requireNotReplaced(BucketStore store, StoreCall call, RecordedBucket bucket) {
        if (bucket.isShared() || !store.capabilities().contains(Capability.LIST)) {
            return;
        }
        store.findBucket(call, name(bucket))
                .map(ListedBucket::tags)
                .filter(tags -> tags.nameAnother(owner(bucket)))
                .ifPresent(tags -> {
                    throw OwnershipConflict.taken(name(bucket), tags, owner(bucket));
                });
    }

    /** A store that cannot delete single keys later must delete the previous one now: there is no overlap then. */
    private static Set<String> kept(BucketStore store, ClaimStep.Provision step) {
        return store.capabilities().contains(Capability.ROTATE) ? step.published() : Set.of();
    }

    private void adopt(BucketStore store, StoreCall call, ClaimStep.Provision step, AdoptRequest request) {
        if (!adopting.add(request.bucket().text())) {
            throw new Unavailable("Another claim is adopting the bucket " + request.bucket() + " at this moment.");
        }
        try {
            if (step.first() && step.bucket().bucketClass().adoptsOrphans()) {
                ClaimObservation observed = step.attempt().observed();
                orphans.release(store, call, request, observed.sharers())
                        .ifPresent(former ->
                                observed.claim().ifPresent(claim -> orphans.report(claim, request.bucket(), former)));
            }
            store.adopt(call, request);
        } finally {
            adopting.remove(request.bucket().text());
        }
    }

    private Progress release(BucketStore store, StoreCall call, ClaimStep.Release step) {
        BucketName bucket = name(step.bucket());
        BucketOwner owner = owner(step.bucket());
        return switch (step.mode()) {
            case DELETE -> {
                if (step.onNotEmpty() == OnNotEmpty.PURGE) {
                    // Otherwise anonymous clients could write faster than the store deletes.
                    close(store, call, step.bucket());
                }
                Naming naming = RequestedBucket.naming(bucket.text(), owner.uid(), owner.clusterId());
                yield unlessNotOwned(() ->
                        store.delete(call, new DeleteRequest(bucket, owner, step.onNotEmpty(), naming, step.last())));
            }
            case ERASE -> {
                revoke(store, call, step.bucket());
                Progress progress = unlessNotOwned(() -> store.erase(call, bucket, owner));
                if (progress instanceof Progress.Done && step.last()) {
                    release(store, call, bucket, owner);
                }
                yield progress;
            }
            case SUSPEND ->
                done(() -> {
                    store.suspend(call, bucket, owner);
                    close(store, call, step.bucket());
                });
            case RETAIN, UNADOPT ->
                done(() -> {
                    revoke(store, call, step.bucket());
                    if (step.last()) {
                        // Before that, others could adopt a bucket that a late request opens.
                        release(store, call, bucket, owner);
                    }
                });
            case REVOKE, END_ACCESS -> done(() -> revoke(store, call, step.bucket()));
        };
    }

    /** Ends all access: that of the principal, and that of others as far as options opened the bucket. */
    private void revoke(BucketStore store, StoreCall call, RecordedBucket bucket) {
        store.revoke(call, name(bucket), owner(bucket));
        close(store, call, bucket);
    }

    /** Removes the options that give others access to the bucket. */
    private void close(BucketStore store, StoreCall call, RecordedBucket bucket) {
        close(store, call, name(bucket), owner(bucket), bucket.openingOptions());
    }

    private static void close(
            BucketStore store, StoreCall call, BucketName bucket, BucketOwner owner, AppliedOptions opening) {
        if (!opening.isEmpty() && store.capabilities().stream().anyMatch(opening.kinds()::contains)) {
            Progress _ = unlessNotOwned(
                    () -> done(() -> store.update(call, UpdateRequest.removing(bucket, owner, opening))));
        }
    }

    private static void release(BucketStore store, StoreCall call, BucketName bucket, BucketOwner owner) {
        if (store.capabilities().contains(Capability.RELEASE)) {
            Progress _ = unlessNotOwned(() -> done(() -> store.release(call, bucket, owner)));
        }
    }

    private static Progress done(Runnable call) {
        call.run();
        return new Progress.Done();
    }

    /** A bucket that does not exist, or is tagged with another owner, needs no release. */
    private static Progress unlessNotOwned(Supplier<Progress> release) {
        try {
            return release.get();
        } catch (Taken | NotFound e) {
            return new Progress.Done();
        }
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

    private static BucketName name(RecordedBucket bucket) {
        return new BucketName(bucket.intent().bucketName());
    }

    private BucketOwner owner(RecordedBucket bucket) {
        return settings.owner(bucket.intent().claimUid());
    }
}
