package io.bucketwright.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gauges that exist for each of many keys, such as the size of each bucket. A gauge is registered once and reads its value
 * from here, so that a measurement costs the same however many keys there are.
 *
 * @param <K> what is measured
 */
public final class KeyedGauges<K> {

    /**
     * A kind of gauge.
     *
     * @param unit empty if it has none
     */
    public record Kind(String name, String unit, String description) {}

    private record Row(Kind kind, Tags tags) {}

    private record Value<K>(K owner, AtomicReference<Double> number, Meter meter) {}

    private final MeterRegistry meters;
    private final Map<Row, Value<K>> values = new HashMap<>();
    private final Map<K, Set<Row>> rows = new HashMap<>();

    public KeyedGauges(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Sets the values of a key; gauges of the key that are not among them are removed. */
    public synchronized void set(K key, Tags tags, Map<Kind, ? extends Number> measured) {
        Set<Row> wanted = new HashSet<>();
        measured.forEach((kind, value) -> {
            Row row = new Row(kind, tags);
            wanted.add(row);
            set(key, row, value.doubleValue());
        });
        Set<Row> former = rows.put(key, wanted);
        if (former != null) {
            former.stream().filter(row -> !wanted.contains(row)).forEach(row -> remove(key, row));
        }
    }

    public synchronized void remove(K key) {
        Set<Row> former = rows.remove(key);
        if (former != null) {
            former.forEach(row -> remove(key, row));
        }
    }

    private void set(K key, Row row, double value) {
        Value<K> known = values.get(row);
        if (known != null && known.owner().equals(key)) {
            known.number().set(value);
            return;
        }
        // An object that was deleted and created again has the same tags and another key.
        if (known != null) {
            meters.remove(known.meter());
        }
        AtomicReference<Double> number = new AtomicReference<>(value);
        Meter meter = Gauge.builder(row.kind().name(), number, AtomicReference::get)
                .tags(row.tags())
                .description(row.kind().description())
                .baseUnit(row.kind().unit().isEmpty() ? null : row.kind().unit())
                .strongReference(true)
                .register(meters);
        values.put(row, new Value<>(key, number, meter));
    }

    private void remove(K key, Row row) {
        Value<K> known = values.get(row);
        if (known != null && known.owner().equals(key)) {
            values.remove(row);
            meters.remove(known.meter());
        }
    }
}
