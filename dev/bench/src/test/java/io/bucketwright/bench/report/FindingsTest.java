package io.bucketwright.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.bench.report.ProcessReport.Memory;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The arithmetic of what figures show together. */
class FindingsTest {

    @Test
    void theCostOfAnObjectIsTheTrendOfTheStepsAndTheFirstOneIsCold() {
        List<PhaseReport> phases = List.of(
                phase("bind to 1000", 1000, 20_000, 20.0, Map.of()),
                phase("bind to 2000", 1000, 5000, 24.0, Map.of()),
                phase("bind to 3000", 1000, 5100, 28.0, Map.of()),
                phase("one at a time", 20, 500, null, Map.of()),
                phase("restart", 3020, 1500, 29.0, Map.of()),
                phase("delete", 3020, 9000, 15.0, Map.of()));
        assertThat(Findings.scale(phases))
                .containsExactly(
                        "CPU time for each object: 5.0 ms in the second step, 5.1 ms in the last one.",
                        "Reachable heap for each object: 4.1 KiB, the trend of 3 steps.");
        assertThat(Findings.scale(phases.subList(0, 2))).isEmpty();
    }

    @Test
    void anotherControllerHasNoHeap() {
        PhaseReport step = phase("bind to 10", 10, 100, null, Map.of());
        assertThat(Findings.scale(List.of(step, step, step)))
                .containsExactly("CPU time for each object: 10.0 ms in the second step, 10.0 ms in the last one.");
        assertThat(Findings.growth(List.of(step, step))).isEmpty();
    }

    @Test
    void foreignObjectsAddTheDifference() {
        List<PhaseReport> phases = List.of(
                phase("Secrets", 10, 0, 12.0, Map.of("watch secrets", 2L)),
                phase("claims", 10, 0, 12.0, Map.of("patch objectbucketclaims", 1L)));
        assertThat(Findings.foreign(List.of(process(new Memory(100, 90, 10.0), new Memory(112.5, 99, 17.5))), phases))
                .containsExactly(
                        "buckets: 60000 foreign objects add 7.5 MiB of reachable heap and 12.5 MiB of resident memory.",
                        "Requests while they were created and changed: 2 to open watches again, 1 others.");
        assertThat(Findings.foreign(List.of(process(new Memory(100, 90, null), new Memory(99, 99, null))), List.of()))
                .first()
                .isEqualTo("buckets: 60000 foreign objects add -1.0 MiB of resident memory.");
    }

    @Test
    void growthIsATrendForEachObject() {
        List<PhaseReport> samples = List.of(
                phase("1 of 3", 1000, 0, 12.0, Map.of()),
                phase("2 of 3", 1000, 0, 13.0, Map.of()),
                phase("3 of 3", 1000, 0, 14.0, Map.of()));
        assertThat(Findings.growth(samples))
                .containsExactly("Reachable heap: 12.00 MiB after 1000 objects, 14.00 MiB after 3000, a trend of 1049"
                        + " bytes for each object. Resident memory: 120 MiB, then 120 MiB.");
        assertThat(Findings.growth(samples.subList(0, 1))).isEmpty();
    }

    @Test
    void theRequestsOfAStandbyAreCountedByPurpose() {
        List<PhaseReport> samples = List.of(
                phase("1 of 2", 10, 0, 12.0, Map.of("get leases", 14L)),
                phase("2 of 2", 10, 0, 12.0, Map.of("get leases", 16L, "watch secrets", 1L, "get secrets", 2L)));
        assertThat(Findings.standby(samples))
                .isEqualTo(
                        "Requests in 1.0 minutes: 30 for the Lease, one in 2.0 s; 1 to open watches again; 2 others.");
        assertThat(Findings.standby(List.of())).contains("0 for the Lease, one in 0.0 s");
    }

    private static ProcessReport process(Memory before, Memory after) {
        return new ProcessReport("buckets", 900L, 1100L, null, before, after, 60_000);
    }

    private static PhaseReport phase(
            String name, int objects, long cpuMillis, @Nullable Double heap, Map<String, Long> requests) {
        SortedMap<String, Long> cpu = new TreeMap<>(Map.of("buckets", cpuMillis));
        return new PhaseReport(
                name, objects, 30, 1.0, 2.0, 0, 0, 0, new TreeMap<>(requests), cpu, new TreeMap<>(), 120, heap);
    }
}
