package io.bucketwright.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges whose rows are counted together when somebody reads the metrics, in one pass over a cache. Nothing is kept for an
 * object, a change of an object costs nothing, and a restart or a missed event cannot make the numbers wrong.
 */
public final class ScrapedGauges {

    private static final Logger log = LoggerFactory.getLogger(ScrapedGauges.class);

    private record Family(MultiGauge gauge, String name, Supplier<Map<Tags, Double>> rows) {}

    private final MeterRegistry meters;
    private final List<Family> families = new CopyOnWriteArrayList<>();

    public ScrapedGauges(MeterRegistry meters) {
        this.meters = meters;
    }

    /**
     * Adds gauges of one name.
     *
     * @param unit empty if they have none
     * @param rows returns the current value for each set of tags; all sets have the same keys
     */
    public void add(String name, String unit, String description, Supplier<Map<Tags, Double>> rows) {
        MultiGauge gauge = MultiGauge.builder(name)
                .description(description)
                .baseUnit(unit.isEmpty() ? null : unit)
                .register(meters);
        families.add(new Family(gauge, name, rows));
    }

    /** Counts everything again and returns what the function reads from the registry then. */
    public synchronized <R> R read(Supplier<R> scrape) {
        families.forEach(ScrapedGauges::count);
        return scrape.get();
    }

    /** One cache that nobody expected must not hide all other metrics. */
    private static void count(Family family) {
        try {
            family.gauge()
                    .register(
                            family.rows().get().entrySet().stream()
                                    .<MultiGauge.Row<?>>map(row -> MultiGauge.Row.of(row.getKey(), row.getValue()))
                                    .toList(),
                            true);
        } catch (RuntimeException e) {
            log.error("The metric {} could not be counted; please report this", family.name(), e);
        }
    }
}
