package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.controller.ConcurrencyLimit;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.UpdateRequest;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The steps that call the store. What it refuses is remembered as a {@link Failure}, for the decision to see. */
final class StoreActs {

    private static final Duration COME_BACK = Duration.ofMillis(50);

    /** One call with a store. */
    private interface Use {
        Outcome apply(BucketStore store, StoreCall call);
    }

    private final Settings settings;
    private final StoreSource stores;
    private final Recollections memory;
    private final Failures failures;
    private final Duration callLimit;
    private final int callsAtOnce;
    private final Map<Object, ConcurrencyLimit> limits = new ConcurrentHashMap<>();

    StoreActs(
            Settings settings,
            StoreSource stores,
            Recollections memory,
            Failures failures,
            Duration callLimit,
            int callsAtOnce) {
        this.settings = settings;
        this.stores = stores;
        this.memory = memory;
        this.failures = failures;
        this.callLimit = callLimit;
        this.callsAtOnce = callsAtOnce;
    }

    Outcome check(Step.CheckStore step) {
        return call(step.on(), step::bucketClass, callLimit, (store, call) -> {
            Set<Capability> missing = EnumSet.noneOf(Capability.class);
            missing.addAll(step.needs());
            missing.removeAll(store.capabilities());
            if (!missing.isEmpty()) {
                throw new Unsupported("The store of class " + step.bucketClass().name() + " cannot do: "
                        + missing.stream().map(AllowedOptions::nameOf).collect(Collectors.joining(", "))
                        + ". Remove that from the claim, or use another class.");
            }
            memory.change(step.on().key(), Recollection::withChecked);
            return Outcome.progress();
        });
    }

    Outcome ask(Step.Ask step) {
        BucketIntent intent = step.intent();
        return call(step.on(), () -> BucketClass.of(intent), callLimit, (store, call) -> {
            ProvisionedBucket made = ask(store, call, step);
            ConnectionData handover = ConnectionData.of(made, step.options().renames());
            Handed handed = new Handed(
                    Optional.of(made), handover, step.first() ? step.options().digest() : "");
            memory.change(step.on().key(), old -> old.withHanded(handed));
            return Outcome.progress();
        });
    }

    private ProvisionedBucket ask(BucketStore store, StoreCall call, Step.Ask step) {
        BucketIntent intent = step.intent();
        BucketName bucket = new BucketName(intent.bucketName());
        BucketOwner owner = settings.owner(intent.claimUid());
        boolean isNew = intent.bucketOrigin().orElse(BucketOrigin.EXISTING) == BucketOrigin.NEW;
        if (isNew && step.first()) {
            return store.provision(
                    call,
                    new ProvisionRequest(
                            bucket,
                            ChosenBucket.naming(bucket.text(), intent.claimUid(), settings.clusterId()),
                            owner,
                            step.options().access(),
                            step.options().options(),
                            step.published()));
        }
        BucketClass bucketClass = BucketClass.of(intent);
        if (!isNew && bucketClass.existingBucket().isEmpty()) {
            store.adopt(call, new AdoptRequest(bucket, owner, bucketClass.adoptsUnmarked()));
        }
        // A store that cannot withdraw one key later must let the old one go now: there is no overlap then.
        Set<String> kept = store.capabilities().contains(Capability.ROTATE) ? step.published() : Set.of();
        return store.grant(call, new GrantRequest(bucket, owner, step.options().access(), kept));
    }

    Outcome apply(Step.ApplyOptions step) {
        BucketIntent intent = step.intent();
        return call(step.on(), () -> BucketClass.of(intent), callLimit, (store, call) -> {
            store.update(
                    call,
                    new UpdateRequest(
                            new BucketName(intent.bucketName()),
                            settings.owner(intent.claimUid()),
                            step.options().access(),
                            step.options().options()));
            memory.change(step.on().key(), old -> old.withApplied(step.options().digest()));
            return Outcome.progress();
        });
    }

    Outcome retire(Step.Retire step) {
        BucketIntent intent = step.intent();
        return call(step.on(), () -> BucketClass.of(intent), callLimit, (store, call) -> {
            if (store.capabilities().contains(Capability.ROTATE)) {
                store.retire(
                        call,
                        new BucketName(intent.bucketName()),
                        settings.owner(intent.claimUid()),
                        Set.of(step.kept()));
            }
            memory.change(step.on().key(), old -> old.withRetired(step.previous()));
            return Outcome.progress();
        });
    }

    Outcome release(Step.Release step) {
        // The store itself works in slices; a limit of one slice would cut off a request that merely takes long.
        return call(step.on(), () -> BucketClass.of(step.intent()), callLimit, (store, call) -> {
            if (release(store, call, step) instanceof Progress.More) {
                return Outcome.finish(Result.requeueAfter(Duration.ZERO));
            }
            memory.change(step.on().key(), Recollection::withReleased);
            return Outcome.progress();
        });
    }

    private Progress release(BucketStore store, StoreCall call, Step.Release step) {
        BucketName bucket = new BucketName(step.intent().bucketName());
        BucketOwner owner = settings.owner(step.intent().claimUid());
        return switch (step.manner()) {
            case DELETE -> orNothing(() -> store.delete(call, new DeleteRequest(bucket, owner, step.onNotEmpty())));
            case ERASE -> {
                Progress progress = orNothing(() -> store.erase(call, bucket, owner));
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
            Progress _ = orNothing(() -> {
                store.release(call, bucket, owner);
                return new Progress.Done();
            });
        }
    }

    /** A bucket that is gone, or bears somebody else's mark, holds nothing of ours: there is nothing left to let go of. */
    private static Progress orNothing(Supplier<Progress> work) {
        try {
            return work.get();
        } catch (Taken | NotFound e) {
            return new Progress.Done();
        }
    }

    private Outcome call(Step.Concerned on, Supplier<BucketClass> bucketClass, Duration limit, Use use) {
        StoreCall call = StoreCall.within(limit);
        memory.begin(on.key(), call);
        try {
            BucketClass read = bucketClass.get();
            ConcurrencyLimit busy = limits.computeIfAbsent(
                    stores.identity(read), _ -> new ConcurrencyLimit("store of " + read.name(), callsAtOnce, COME_BACK));
            return busy.act(() -> stores.with(read, store -> use.apply(store, call)));
        } catch (StoreException e) {
            failures.remember(on, trouble(on, e));
            return Outcome.progress();
        } finally {
            memory.end(on.key(), call);
        }
    }

    private static Trouble trouble(Step.Concerned on, StoreException e) {
        Trouble trouble = Trouble.of(e);
        if (e instanceof StoreException.NotEmpty) {
            return new Trouble(
                    trouble.reason(),
                    trouble.message()
                            + " Empty it, and the deletion goes on by itself; or an administrator annotates the"
                            + " ObjectBucket with " + Leaving.ON_NOT_EMPTY + "=purge. A class with "
                            + ClassParameters.ON_NOT_EMPTY + ": purge does not wait.",
                    trouble.phase(),
                    false);
        }
        // While a bucket goes, nobody edits the claim any more: whatever was wrong is put right elsewhere, so look
        // again.
        return on.concern() == Step.Concern.RELEASE
                ? new Trouble(
                        trouble.reason(),
                        trouble.message()
                                + " If the store is gone for good, an administrator annotates the ObjectBucket"
                                + " with " + Leaving.ABANDON + "=true: then what is in the store stays there.",
                        trouble.phase(),
                        false)
                : trouble;
    }
}
