package io.bucketwright.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

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

    private static final class Value<K> {
        private final K owner;
        private final Meter meter;
        private volatile double value;

        private Value(K owner, Row row, double value, MeterRegistry meters) {
            this.owner = owner;
            this.value = value;
            this.meter = register(row, meters);
        }

        private Meter register(Row row, MeterRegistry meters) {
            Gauge.Builder<Value<K>> gauge = Gauge.builder(row.kind().name(), this, measured -> measured.value)
                    .tags(row.tags())
                    .description(row.kind().description())
                    .strongReference(true);
            String unit = row.kind().unit();
            return (unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(meters);
        }
    }

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
        if (known != null && known.owner.equals(key)) {
            known.value = value;
            return;
        }
        // An object that was deleted and created again has the same tags and another key.
        if (known != null) {
            meters.remove(known.meter);
        }
        values.put(row, new Value<>(key, row, value, meters));
    }

    private void remove(K key, Row row) {
        Value<K> known = values.get(row);
        if (known != null && known.owner.equals(key)) {
            values.remove(row);
            meters.remove(known.meter);
        }
    }
}
