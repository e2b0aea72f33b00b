package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.PeriodicTask;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.KeyedGauges;
import io.bucketwright.runtime.metrics.KeyedGauges.Kind;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.Capability;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures how much data a bound bucket holds. Sends no requests to the API server. */
public record UsageMeasurement(
        ProvisionerSettings settings,
        StoreSource stores,
        ObjectCache<ObjectBucket> buckets,
        ObjectCache<ObjectBucketClaim> claims,
        KeyedGauges<ObjectKey> gauges)
        implements PeriodicTask<ObjectKey> {

    private static final Logger log = LoggerFactory.getLogger(UsageMeasurement.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Kind BYTES =
            new Kind("bucketwright.bucket.size", "bytes", "Size of the objects in the bucket, or a lower bound of it");
    private static final Kind OBJECTS =
            new Kind("bucketwright.bucket.objects", "", "Number of objects in the bucket, or a lower bound of it");
    private static final Kind QUOTA_BYTES =
            new Kind("bucketwright.bucket.quota.size", "bytes", "Maximum size of the objects in the bucket");
    private static final Kind QUOTA_OBJECTS =
            new Kind("bucketwright.bucket.quota.objects", "", "Maximum number of objects in the bucket");

    public static void register(
            ControllerContext context, ProvisionerSettings settings, StoreSource stores, Duration interval) {
        ObjectCache<ObjectBucket> buckets = context.caches().unlimited(ObjectBucket.class, Scope.everything());
        UsageMeasurement measurement = new UsageMeasurement(
                settings,
                stores,
                buckets,
                context.caches().of(ObjectBucketClaim.class, Scope.namespace(settings.namespace())),
                new KeyedGauges<>(context.meters()));
        context.periodic(context.queue("objectbucket-ob-usage"), interval, measurement)
                .watch(buckets, Function.identity());
    }

    @Override
    public boolean applies(ObjectKey key) {
        return bucket(key).isPresent();
    }

    @Override
    public Result run(ObjectKey key) {
        try {
            bucket(key).ifPresent(bucket -> measure(key, bucket));
            return Result.done();
        } catch (NotFound e) {
            // Nothing to retry: the store "none" forgets its buckets at a restart, and a real one may have lost this
            // one.
            log.debug("The store does not have the bucket of {}: {}", key.name(), e.getMessage());
            gauges.remove(key);
            return Result.done();
        } catch (StoreException e) {
            return Result.retry("Measuring the usage of " + key.name() + " failed: " + e.getMessage());
        }
    }

    @Override
    public void forget(ObjectKey key) {
        gauges.remove(key);
    }

    private Optional<RecordedBucket> bucket(ObjectKey key) {
        return buckets.get("", key.name())
                .filter(key::names)
                .filter(bucket -> bucket.phase() == Phase.BOUND)
                .map(RecordedBucket::new)
                .filter(bucket -> bucket.findIntent()
                        .filter(intent -> intent.supported()
                                && settings.serves(intent.claimNamespace())
                                && settings.isProvisioner(intent.provisioner()))
                        .isPresent());
    }

    private void measure(ObjectKey key, RecordedBucket bucket) {
        BucketIntent intent = bucket.intent();
        BucketName name = bucket.bucketName();
        Optional<ObjectBucketClaim> found = claims.get(intent.claimNamespace(), intent.claimName());
        if (found.filter(UsageMeasurement::hasLostItsBucket).isPresent()) {
            // What another owner stores is not for the metrics of this namespace.
            gauges.remove(key);
            return;
        }
        // Not through a class that was created again: its store may have a bucket of that name that belongs to others.
        StoreCall call = StoreCall.within(TIMEOUT);
        Optional<Usage> usage = stores.of(stores.recorded(intent))
                .use(opened -> opened.capabilities().contains(Capability.USAGE)
                        ? Optional.of(opened.call(StoreOperation.USAGE, call, s -> s.usage(call, name)))
                        : Optional.empty());
        if (usage.isEmpty()) {
            return;
        }
        Map<Kind, Long> values = new HashMap<>();
        values.put(BYTES, usage.get().bytes());
        values.put(OBJECTS, usage.get().objects());
        found.flatMap(claim -> quota(claim, bucket.bucketClass())).ifPresent(quota -> {
            values.put(QUOTA_BYTES, quota.maxBytes());
            values.put(QUOTA_OBJECTS, quota.maxObjects());
            values.values().removeIf(value -> value == Quota.UNLIMITED);
        });
        gauges.set(
                key,
                Tags.of("namespace", intent.claimNamespace(), "claim", intent.claimName(), "bucket", name.text()),
                values);
    }

    private static boolean hasLostItsBucket(ObjectBucketClaim claim) {
        return ReadyCondition.find(ClaimStatus.conditions(claim))
                .filter(ready -> ClaimReason.BUCKET_REPLACED.equals(ready.getReason()))
                .isPresent();
    }

    private static Optional<Quota> quota(ObjectBucketClaim claim, BucketClass bucketClass) {
        return ClaimOptions.read(claim, bucketClass, BucketOrigin.NEW).options().find(Quota.class);
    }
}
