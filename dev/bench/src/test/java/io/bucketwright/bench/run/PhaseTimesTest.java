package io.bucketwright.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.bench.measure.Percentiles;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PhaseTimesTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void theTimeOfAPhaseEndsWithTheLastObject() {
        PhaseTimes times =
                new PhaseTimes(Map.of("a", SECOND, "b", 2 * SECOND), Map.of("a", 4 * SECOND, "b", 3 * SECOND));
        assertThat(times.objects()).isEqualTo(2);
        assertThat(times.seconds()).isEqualTo(3);
        assertThat(times.latency()).isEqualTo(new Percentiles(1000, 3000));
    }

    @Test
    void objectsThatNobodyWaitsForHaveNoLatency() {
        PhaseTimes times = PhaseTimes.of(Map.of("a", SECOND, "b", 2 * SECOND));
        assertThat(times.seconds()).isEqualTo(1);
        assertThat(times.latency()).isNull();
        assertThat(PhaseTimes.of(Map.of()).seconds()).isZero();
    }

    @Test
    void batchesAreOnePhase() {
        PhaseTimes both = new PhaseTimes(Map.of("a", 0L), Map.of("a", SECOND))
                .and(new PhaseTimes(Map.of("b", 5 * SECOND), Map.of("b", 7 * SECOND)));
        assertThat(both.objects()).isEqualTo(2);
        assertThat(both.seconds()).isEqualTo(7);
        assertThat(both.latency()).isEqualTo(new Percentiles(1000, 2000));
    }
}
