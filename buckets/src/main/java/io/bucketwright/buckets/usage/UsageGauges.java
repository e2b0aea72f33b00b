package io.bucketwright.buckets.usage;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.Usage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What is known of each bucket's content, as metrics; a quota is shown where there is one. */
final class UsageGauges {

    private record Known(Tags tags, Usage usage, Optional<Quota> quota) {}

    private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();
    private final MultiGauge bytes;
    private final MultiGauge objects;
    private final MultiGauge quotaBytes;
    private final MultiGauge quotaObjects;

    UsageGauges(MeterRegistry meters) {
        bytes = gauge(meters, "bucketwright.bucket.size", "bytes", "Bytes that the bucket holds, at least");
        objects = gauge(meters, "bucketwright.bucket.objects", "", "Objects that the bucket holds, at least");
        quotaBytes = gauge(meters, "bucketwright.bucket.quota.size", "bytes", "Bytes that the bucket may hold");
        quotaObjects = gauge(meters, "bucketwright.bucket.quota.objects", "", "Objects that the bucket may hold");
    }

    void show(ObjectKey key, String namespace, String claim, String bucket, Usage usage, Optional<Quota> quota) {
        known.put(key, new Known(Tags.of("namespace", namespace, "claim", claim, "bucket", bucket), usage, quota));
        publish();
    }

    void forget(ObjectKey key) {
        if (known.remove(key) != null) {
            publish();
        }
    }

    private synchronized void publish() {
        List<Known> all = List.copyOf(known.values());
        bytes.register(
                all.stream().map(it -> Row.of(it.tags(), it.usage().bytes())).collect(rows()), true);
        objects.register(
                all.stream().map(it -> Row.of(it.tags(), it.usage().objects())).collect(rows()), true);
        quotaBytes.register(limits(all, Quota::maxBytes), true);
        quotaObjects.register(limits(all, Quota::maxObjects), true);
    }

    private static List<Row<?>> limits(List<Known> all, ToLongFunction<Quota> limit) {
        return all.stream()
                .filter(it -> it.quota().isPresent())
                .filter(it -> limit.applyAsLong(it.quota().get()) != Quota.UNLIMITED)
                .map(it -> Row.of(it.tags(), limit.applyAsLong(it.quota().get())))
                .collect(rows());
    }

    private static java.util.stream.Collector<Row<Number>, ?, List<Row<?>>> rows() {
        return Collectors.mapping(row -> (Row<?>) row, Collectors.toList());
    }

    private static MultiGauge gauge(MeterRegistry meters, String name, String unit, String description) {
        MultiGauge.Builder builder = MultiGauge.builder(name).description(description);
        return (unit.isEmpty() ? builder : builder.baseUnit(unit)).register(meters);
    }
}
