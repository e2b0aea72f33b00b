package io.bucketwright.buckets.stores;

import io.bucketwright.store.observation.StoreObserver;
import io.bucketwright.store.observation.StoreOperation;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and measures the calls to stores.
 *
 * @param timers by what they measure: a registry would have to build and sort the tags for each call
 */
public record StoreMetrics(MeterRegistry meters, Map<Measured, Timer> timers) implements StoreObserver {

    /** What one timer measures. */
    public record Measured(String store, StoreOperation<?> operation, String result) {}

    private static final Duration[] BOUNDS = {
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    public StoreMetrics(MeterRegistry meters) {
        this(meters, new ConcurrentHashMap<>());
    }

    @Override
    public void called(String store, StoreOperation<?> operation, String result, Duration took) {
        timers.computeIfAbsent(new Measured(store, operation, result), this::timer)
                .record(took);
    }

    private Timer timer(Measured measured) {
        return Timer.builder("bucketwright.store.calls")
                .tags(
                        "store", measured.store(),
                        "operation", measured.operation().text(),
                        "result", measured.result())
                .description("Calls to the object store; one call can be several requests")
                .serviceLevelObjectives(BOUNDS)
                .register(meters);
    }
}
