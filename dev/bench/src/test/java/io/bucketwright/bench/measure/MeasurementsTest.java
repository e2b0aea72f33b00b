package io.bucketwright.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.audit.AuditedRequest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeasurementsTest {

    @Test
    void percentilesAreMeasuredValues() {
        double[] hundred =
                IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i).toArray();
        assertThat(Percentiles.of(hundred)).isEqualTo(new Percentiles(50, 99));
        assertThat(Percentiles.of(7)).isEqualTo(new Percentiles(7, 7));
        assertThat(Percentiles.of(3, 1, 2)).isEqualTo(new Percentiles(2, 3));
        assertThatThrownBy(Percentiles::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theTimeOfAProcessIsReadBehindAnyName() {
        String stat = "4711 (a ) b(c) S 1 4711 4711 0 -1 4194560 2000 0 10 0 123 45 0 0 20 0 9 0 100 1 2 3\n";
        assertThat(ProcessUsage.parseCpuMillis(stat)).isEqualTo(1680);
    }

    @Test
    void memoryIsReadByField() {
        String rollup =
                "5590-7ffe ---p 00000000 00:00 0 [rollup]\nRss:              190464 kB\nPss:               90001"
                        + " kB\nPss_Anon:          7 kB\n";
        assertThat(ProcessUsage.kib(rollup, "Rss")).isEqualTo(190_464);
        assertThat(ProcessUsage.kib(rollup, "Pss")).isEqualTo(90_001);
        assertThatThrownBy(() -> ProcessUsage.kib(rollup, "Swap"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("Swap");
    }

    @Test
    void thisProcessCanBeMeasured() {
        ProcessUsage own = ProcessUsage.of(ProcessHandle.current().pid());
        assertThat(own.cpuMillis()).isPositive();
        assertThat(own.residentKib()).isGreaterThanOrEqualTo(own.proportionalKib());
        assertThat(own.proportionalKib()).isPositive();
    }

    @Test
    void theLiveHeapIsTheTotalOfTheHistogram() {
        String histogram = """
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         58812        5478736  [B (java.base@25)
                Total        412345       15728640
                """;
        assertThat(LiveHeap.parse(histogram)).hasValue(15_728_640);
        assertThat(LiveHeap.parse("4711: not a Java process")).isEmpty();
    }

    @Test
    void requestsAreCountedByVerbAndResourceWithoutLeases() {
        RequestTally.Builder builder = new RequestTally.Builder();
        builder.add(request("patch", "objectbucketclaims/status", 200));
        builder.add(request("patch", "objectbucketclaims/status", 200));
        builder.add(request("patch", "objectbucketclaims/status", 409));
        builder.add(request("create", "events", 201));
        builder.add(request("update", "leases", 200));
        builder.add(request("get", "leases", 200));
        builder.add(request("get", "", 200));
        builder.add(request("get", "secrets", 404));
        builder.add(request("list", "secrets", 200));
        RequestTally tally = builder.build();
        assertThat(tally.counts())
                .containsEntry("patch objectbucketclaims/status", 2L)
                .containsEntry("patch objectbucketclaims/status 409", 1L)
                .doesNotContainKey("update leases");
        assertThat(tally.leases()).containsOnly(entry("get leases", 1L), entry("update leases", 1L));
        assertThat(tally.withLeases()).containsEntry("get leases", 1L).containsEntry("create events", 1L);
        assertThat(tally.writes()).isEqualTo(3);
        assertThat(tally.events()).isEqualTo(1);
        assertThat(tally.reads()).isEqualTo(1);
    }

    @Test
    void aTrendIsTheLineWithTheLeastSquares() {
        assertThat(Trend.of(new double[] {1, 2, 3}, new double[] {5, 7, 9})).isEqualTo(new Trend(2, 5, 9));
        assertThat(Trend.of(new double[] {0, 1, 2, 3}, new double[] {1, 3, 2, 4})
                        .slope())
                .isCloseTo(0.8, within(1e-9));
        assertThat(Trend.of(new double[] {10, 20}, new double[] {4, 4}).slope()).isZero();
        assertThatThrownBy(() -> Trend.of(new double[] {3, 3}, new double[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Trend.of(new double[] {1, 2}, new double[] {1}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static AuditedRequest request(String verb, String resource, int code) {
        return new AuditedRequest(verb, resource, "ns", "name", code);
    }
}
