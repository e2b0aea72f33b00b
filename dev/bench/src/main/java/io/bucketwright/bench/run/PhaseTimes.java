package io.bucketwright.bench.run;

import io.bucketwright.bench.measure.Percentiles;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When the objects of a phase were requested and done, by {@link System#nanoTime}.
 *
 * @param reached empty if nobody waits for these objects
 */
record PhaseTimes(Map<String, Long> started, Map<String, Long> reached) {

    private static final double NANOS_PER_MILLI = 1e6;

    PhaseTimes {
        started = Map.copyOf(started);
        reached = Map.copyOf(reached);
    }

    /** Objects that nobody waits for. */
    static PhaseTimes of(Map<String, Long> started) {
        return new PhaseTimes(started, Map.of());
    }

    int objects() {
        return started.size();
    }

    /** These and other objects, which have other names. */
    PhaseTimes and(PhaseTimes more) {
        Map<String, Long> allStarted = new HashMap<>(started);
        allStarted.putAll(more.started);
        Map<String, Long> allReached = new HashMap<>(reached);
        allReached.putAll(more.reached);
        return new PhaseTimes(allStarted, allReached);
    }

    /** From the first request until the last object was done; until the last request if nobody waits for the objects. */
    double seconds() {
        long first = started.values().stream().mapToLong(Long::longValue).min().orElse(0);
        long last = (reached.isEmpty() ? started : reached)
                .values().stream().mapToLong(Long::longValue).max().orElse(0);
        return (last - first) / NANOS_PER_MILLI / 1000;
    }

    /** From the request for an object until it was done; null if nobody waits for the objects. */
    @Nullable
    Percentiles latency() {
        return reached.isEmpty()
                ? null
                : Percentiles.of(started.entrySet().stream()
                        .mapToDouble(entry ->
                                (reached.getOrDefault(entry.getKey(), 0L) - entry.getValue()) / NANOS_PER_MILLI)
                        .toArray());
    }
}
