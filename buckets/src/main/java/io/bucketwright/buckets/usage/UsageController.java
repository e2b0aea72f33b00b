package io.bucketwright.buckets.usage;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ClaimOptions;
import io.bucketwright.buckets.requests.ProvisionerSettings;
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
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.StoreCall;
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
 * Measures the usage of each bound bucket, one bucket at a time and spread over the interval, so that neither a start nor
 * many claims cause a burst. Sends no requests to the API server.
 */
public final class UsageController implements Reconciler<ObjectKey> {

    private static final Duration CALL = Duration.ofSeconds(5);

    private final ProvisionerSettings settings;
    private final StoreSource stores;
    private final Duration every;
    private final ObjectCache<ObjectBucket> buckets;
    private final ObjectCache<ObjectBucketClaim> claims;
    private final UsageGauges gauges;
    private final TimeSource time;
    private final RandomGenerator random;
    private final Map<ObjectKey, Instant> due = new ConcurrentHashMap<>();

    private UsageController(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, Duration every, RandomGenerator random) {
        this.settings = settings;
        this.stores = stores;
        this.every = every;
        this.buckets = context.caches().of(ObjectBucket.class, Scope.everything());
        Scope served = settings.namespace().isEmpty() ? Scope.everything() : Scope.namespace(settings.namespace());
        this.claims = context.caches().of(ObjectBucketClaim.class, served);
        this.gauges = new UsageGauges(context.meters());
        this.time = context.time();
        this.random = random;
    }

    /** Call it before the caches start. */
    public static Controller<ObjectKey> of(ControllerContext context, ProvisionerSettings settings, StoreSource stores, Duration every) {
        if (!every.isPositive()) {
            throw new IllegalArgumentException("The measuring interval must be positive, got " + every);
        }
        Random random = new Random();
        UsageController usage = new UsageController(context, settings, stores, every, random);
        WorkQueue<ObjectKey> queue = new WorkQueue<>("usage", context.time(), Backoff.standard(), random, context.meters());
        return new Controller<>("usage", usage, queue, context.leadership(), 1, context.meters())
                .watch(usage.buckets, Function.identity());
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<RecordedBucket> bucket = buckets.get("", key.name())
                .filter(found -> ObjectKey.of(found).equals(key))
                .filter(found -> found.phase() == Phase.BOUND)
                .map(RecordedBucket::new)
                .filter(this::isServed);
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
            measure(key, bucket.get());
            return Result.requeueAfter(every);
        } catch (StoreException e) {
            return Result.retry("Measuring the usage of " + key.name() + " failed: " + e.getMessage());
        }
    }

    private void measure(ObjectKey key, RecordedBucket bucket) {
        BucketIntent intent = bucket.intent();
        BucketName name = new BucketName(intent.bucketName());
        Optional<Usage> usage = stores.of(bucket.bucketClass())
                .use(store -> store.capabilities().contains(Capability.USAGE)
                        ? Optional.of(store.usage(StoreCall.within(CALL), name))
                        : Optional.empty());
        Optional<Quota> quota = claims.get(intent.claimNamespace(), intent.claimName())
                .flatMap(claim -> quota(claim, bucket.bucketClass()));
        usage.ifPresent(
                found -> gauges.show(key, intent.claimNamespace(), intent.claimName(), name.text(), found, quota));
    }

    private static Optional<Quota> quota(ObjectBucketClaim claim, BucketClass bucketClass) {
        return ClaimOptions.read(claim, bucketClass, BucketOrigin.NEW).options().find(Quota.class);
    }

    private boolean isServed(RecordedBucket bucket) {
        return bucket.findIntent()
                .filter(intent -> intent.supported()
                        && settings.serves(intent.claimNamespace())
                        && settings.isProvisioner(intent.provisioner()))
                .isPresent();
    }

    private Duration spread() {
        return Duration.ofMillis(random.nextLong(every.toMillis() + 1));
    }
}
