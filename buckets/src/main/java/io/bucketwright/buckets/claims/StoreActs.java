package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.requests.RequestedBucket;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.ConcurrencyLimit;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The steps that call the store. An error of the store becomes a failed attempt, which the next decision sees. */
final class StoreActs {

    private static final Duration BUSY = Duration.ofMillis(50);

    /** One call of a store; returns the new in-flight state, or nothing if another call must follow. */
    private interface Call {
        Optional<UnaryOperator<ClaimState>> apply(BucketStore store, StoreCall call);
    }

    private final ProvisionerSettings settings;
    private final StoreSource stores;
    private final InFlightState<ObjectKey, ClaimState> states;
    private final ActiveCalls active;
    private final ClaimLimits limits;
    private final Map<Object, ConcurrencyLimit> limitsByStore = new ConcurrentHashMap<>();

    StoreActs(
            ProvisionerSettings settings,
            StoreSource stores,
            InFlightState<ObjectKey, ClaimState> states,
            ActiveCalls active,
            ClaimLimits limits) {
        this.settings = settings;
        this.stores = stores;
        this.states = states;
        this.active = active;
        this.limits = limits;
    }

    Outcome check(ClaimStep.CheckStore step) {
        return call(step.attempt(), step::bucketClass, (store, call) -> {
            Set<Capability> missing = EnumSet.noneOf(Capability.class);
            missing.addAll(step.required());
            missing.removeAll(store.capabilities());
            if (!missing.isEmpty()) {
                throw new Unsupported("The store of class " + step.bucketClass().name() + " does not support: "
                        + missing.stream().map(AllowedOptions::nameOf).collect(Collectors.joining(", "))
                        + ". Remove that from the claim, or use another class.");
            }
            return Optional.of(ClaimState::withChecked);
        });
    }

    Outcome provision(ClaimStep.Provision step) {
        return call(step.attempt(), step.bucket()::bucketClass, (store, call) -> {
            ProvisionedBucket provisioned = provision(store, call, step);
            return Optional.of(state -> state.withProvisioned(
                    provisioned, step.first() ? step.options().digest() : state.appliedOptions()));
        });
    }

    private ProvisionedBucket provision(BucketStore store, StoreCall call, ClaimStep.Provision step) {
        BucketIntent intent = step.bucket().intent();
        BucketName bucket = new BucketName(intent.bucketName());
        BucketOwner owner = settings.owner(intent.claimUid());
        boolean isNew = step.bucket().origin() == BucketOrigin.NEW;
        if (isNew && step.first()) {
            return store.provision(
                    call,
                    new ProvisionRequest(
                            bucket,
                            RequestedBucket.naming(bucket.text(), intent.claimUid(), settings.clusterId()),
                            owner,
                            step.options().access(),
                            step.options().options(),
                            step.published()));
        }
        BucketClass bucketClass = step.bucket().bucketClass();
        if (!isNew && bucketClass.existingBucket().isEmpty()) {
            store.adopt(call, new AdoptRequest(bucket, owner, bucketClass.adoptsUntagged()));
        }
        // A store that cannot delete single keys later must delete the previous one now: there is no overlap then.
        Set<String> kept = store.capabilities().contains(Capability.ROTATE) ? step.published() : Set.of();
        return store.grant(call, new GrantRequest(bucket, owner, step.options().access(), kept));
    }

    Outcome apply(ClaimStep.ApplyOptions step) {
        return call(step.attempt(), step.bucket()::bucketClass, (store, call) -> {
            store.update(
                    call,
                    new UpdateRequest(
                            name(step.bucket()),
                            owner(step.bucket()),
                            step.options().access(),
                            step.options().options()));
            return Optional.of(state -> state.withAppliedOptions(step.options().digest()));
        });
    }

    Outcome deletePreviousKey(ClaimStep.DeletePreviousKey step) {
        RecordedBucket bucket = step.bucket();
        return call(step.attempt(), bucket::bucketClass, (store, call) -> {
            if (store.capabilities().contains(Capability.ROTATE)) {
                store.retire(call, name(bucket), owner(bucket), Set.of(bucket.keyId()));
            }
            return Optional.of(state -> state.withDeletedKey(bucket.previousKey()));
        });
    }

    Outcome release(ClaimStep.Release step) {
        return call(
                step.attempt(),
                step.bucket()::bucketClass,
                (store, call) -> release(store, call, step) instanceof Progress.More
                        ? Optional.empty()
                        : Optional.of(ClaimState::withReleased));
    }

    private Progress release(BucketStore store, StoreCall call, ClaimStep.Release step) {
        BucketName bucket = name(step.bucket());
        BucketOwner owner = owner(step.bucket());
        return switch (step.mode()) {
            case DELETE ->
                unlessNotOwned(() -> store.delete(call, new DeleteRequest(bucket, owner, step.onNotEmpty())));
            case ERASE -> {
                Progress progress = unlessNotOwned(() -> store.erase(call, bucket, owner));
                if (progress instanceof Progress.Done) {
                    retain(store, call, bucket, owner);
                }
                yield progress;
            }
            case SUSPEND -> {
                store.suspend(call, bucket, owner);
                yield new Progress.Done();
            }
            case RETAIN, UNADOPT -> {
                retain(store, call, bucket, owner);
                yield new Progress.Done();
            }
            case REVOKE -> {
                store.revoke(call, bucket, owner);
                yield new Progress.Done();
            }
        };
    }

    private static void retain(BucketStore store, StoreCall call, BucketName bucket, BucketOwner owner) {
        store.revoke(call, bucket, owner);
        if (store.capabilities().contains(Capability.RELEASE)) {
            Progress _ = unlessNotOwned(() -> {
                store.release(call, bucket, owner);
                return new Progress.Done();
            });
        }
    }

    /** A bucket that does not exist, or is tagged with another owner, needs no release. */
    private static Progress unlessNotOwned(Supplier<Progress> release) {
        try {
            return release.get();
        } catch (Taken | NotFound e) {
            return new Progress.Done();
        }
    }

    private static BucketName name(RecordedBucket bucket) {
        return new BucketName(bucket.intent().bucketName());
    }

    private BucketOwner owner(RecordedBucket bucket) {
        return settings.owner(bucket.intent().claimUid());
    }

    private Outcome call(Attempt attempt, Supplier<BucketClass> bucketClass, Call use) {
        StoreCall call = StoreCall.within(limits.storeTimeout());
        active.begin(attempt.key(), call);
        try {
            ClassStore classStore = stores.of(bucketClass.get());
            ConcurrencyLimit limit = limitsByStore.computeIfAbsent(
                    classStore.identity(),
                    _ -> new ConcurrencyLimit("store of " + bucketClass.get().name(), limits.storeCalls(), BUSY));
            return limit.act(() -> classStore
                    .use(store -> use.apply(store, call))
                    .map(change -> {
                        states.update(attempt.key(), change);
                        states.clearFailure(attempt.key());
                        return Outcome.progress();
                    })
                    // The store releases large buckets in slices; this was one of them.
                    .orElseGet(() -> Outcome.finish(Result.requeueAfter(Duration.ZERO))));
        } catch (StoreException e) {
            states.recordFailure(
                    attempt.key(), attempt.operation(), attempt.inputs(), StoreProblems.of(e, attempt.operation()));
            return Outcome.progress();
        } finally {
            active.end(attempt.key(), call);
        }
    }
}
