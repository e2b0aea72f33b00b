package io.bucketwright.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.metrics.KeyedGauges.Kind;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class KeyedGaugesTest {

    private static final Kind SIZE = new Kind("test.size", "bytes", "Size");
    private static final Kind QUOTA = new Kind("test.quota", "", "Quota");
    private static final Tags PHOTOS = Tags.of("bucket", "photos");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KeyedGauges<String> gauges = new KeyedGauges<>(meters);

    @Test
    void eachKeyHasItsValues() {
        gauges.set("a", PHOTOS, Map.of(SIZE, 1L, QUOTA, 10L));
        gauges.set("b", Tags.of("bucket", "music"), Map.of(SIZE, 2L));
        assertThat(meters.get("test.size").tag("bucket", "photos").gauge().value())
                .isEqualTo(1);
        assertThat(meters.get("test.size").tag("bucket", "music").gauge().value())
                .isEqualTo(2);
        assertThat(meters.get("test.size").gauge().getId().getBaseUnit()).isEqualTo("bytes");
        assertThat(meters.find("test.quota").gauges()).hasSize(1);
    }

    @Test
    void aMeasurementRegistersNothingAnew() {
        gauges.set("a", PHOTOS, Map.of(SIZE, 1));
        AtomicInteger registered = new AtomicInteger();
        meters.config().onMeterAdded(_ -> registered.incrementAndGet());
        gauges.set("a", PHOTOS, Map.of(SIZE, 3));
        assertThat(meters.get("test.size").gauge().value()).isEqualTo(3);
        assertThat(registered).hasValue(0);
    }

    @Test
    void whatIsNotMeasuredAnyMoreIsRemoved() {
        gauges.set("a", PHOTOS, Map.of(SIZE, 1, QUOTA, 10));
        gauges.set("a", PHOTOS, Map.of(SIZE, 1));
        assertThat(meters.find("test.quota").gauges()).isEmpty();
        gauges.set("a", Tags.of("bucket", "renamed"), Map.of(SIZE, 1));
        assertThat(meters.find("test.size").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.getId().getTag("bucket")).isEqualTo("renamed"));
        gauges.remove("a");
        gauges.remove("unknown");
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void anObjectCreatedAgainKeepsItsGaugeWhenTheFormerOneIsRemoved() {
        gauges.set("uid-1", PHOTOS, Map.of(SIZE, 1));
        gauges.set("uid-2", PHOTOS, Map.of(SIZE, 2));
        gauges.remove("uid-1");
        assertThat(meters.get("test.size").gauge().value()).isEqualTo(2);
        gauges.remove("uid-2");
        assertThat(meters.getMeters()).isEmpty();
    }
}
