package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Measures how much each bound bucket holds, one bucket at a time and spread over the interval, so that neither a start nor
 * many claims make a burst. Costs the API server nothing.
 */
public final class UsageController implements Reconciler<ObjectKey> {

    private static final Duration CALL = Duration.ofSeconds(5);

    private final Settings settings;
    private final StoreSource stores;
    private final Duration every;
    private final ObjectCache<ObjectBucket> buckets;
    private final ObjectCache<ObjectBucketClaim> claims;
    private final UsageGauges gauges;
    private final TimeSource time;
    private final RandomGenerator random;
    private final Map<ObjectKey, Instant> due = new ConcurrentHashMap<>();

    private UsageController(
            ControllerContext parts, Settings settings, StoreSource stores, Duration every, RandomGenerator random) {
        this.settings = settings;
        this.stores = stores;
        this.every = every;
        this.buckets = parts.caches().of(ObjectBucket.class, Scope.everything());
        Scope served = settings.namespace().isEmpty() ? Scope.everything() : Scope.namespace(settings.namespace());
        this.claims = parts.caches().of(ObjectBucketClaim.class, served);
        this.gauges = new UsageGauges(parts.meters());
        this.time = parts.time();
        this.random = random;
    }

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<ObjectKey> of(ControllerContext parts, Settings settings, StoreSource stores, Duration every) {
        if (!every.isPositive()) {
            throw new IllegalArgumentException("Usage cannot be measured every " + every);
        }
        Random random = new Random();
        UsageController usage = new UsageController(parts, settings, stores, every, random);
        WorkQueue<ObjectKey> queue = new WorkQueue<>("usage", parts.time(), Backoff.standard(), random, parts.meters());
        return new Controller<>("usage", usage, queue, parts.leadership(), 1, parts.meters())
                .watch(usage.buckets, Function.identity());
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectBucket> bucket = buckets.get("", key.name())
                .filter(found -> ObjectKey.of(found).equals(key))
                .filter(found -> found.phase() == Phase.BOUND)
                .filter(this::isOurs);
        if (bucket.isEmpty()) {
            due.remove(key);
            gauges.forget(key);
            return Result.done();
        }
        Instant now = time.now();
        Instant next = due.computeIfAbsent(key, _ -> now.plus(spread()));
        if (now.isBefore(next)) {
            return Result.requeueAfter(Duration.between(now, next));
        }
        due.put(key, now.plus(every));
        try {
            measure(key, new BucketRecord(bucket.get()));
            return Result.requeueAfter(every);
        } catch (StoreException e) {
            return Result.retry("How much bucket of " + key.name() + " holds is not known: " + e.getMessage());
        }
    }

    private void measure(ObjectKey key, BucketRecord record) {
        record.intent().ifPresent(intent -> {
            BucketClass bucketClass = BucketClass.of(intent);
            BucketName name = new BucketName(intent.bucketName());
            Optional<Usage> usage = stores.with(
                    bucketClass,
                    store -> store.capabilities().contains(Capability.USAGE)
                            ? Optional.of(store.usage(StoreCall.within(CALL), name))
                            : Optional.empty());
            Optional<Quota> quota =
                    claims.get(intent.claimNamespace(), intent.claimName()).flatMap(claim -> quota(claim, bucketClass));
            usage.ifPresent(
                    found -> gauges.show(key, intent.claimNamespace(), intent.claimName(), name.text(), found, quota));
        });
    }

    private static Optional<Quota> quota(ObjectBucketClaim claim, BucketClass bucketClass) {
        return ClaimOptions.read(claim, bucketClass, BucketOrigin.NEW).options().find(Quota.class);
    }

    private boolean isOurs(ObjectBucket bucket) {
        return new BucketRecord(bucket)
                .intent()
                .filter(intent -> intent.supported()
                        && settings.serves(intent.claimNamespace())
                        && settings.provisioner().text().equals(intent.provisioner()))
                .isPresent();
    }

    private Duration spread() {
        return Duration.ofMillis(random.nextLong(every.toMillis() + 1));
    }
}
