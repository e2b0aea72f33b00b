package io.bucketwright.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoleMetricsTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ManualLeadership leadership = new ManualLeadership();
    private final ScrapedGauges scraped = new ScrapedGauges(meters);
    private final RoleMetrics metrics = new RoleMetrics("buckets", meters, leadership, scraped);

    @Test
    void objectsAreCountedByPhaseAndReasonWhenTheMetricsAreRead() {
        List<StatusLabels> states = new ArrayList<>(List.of(pending("None"), pending("StoreUnavailable"), bound()));
        metrics.claims("ObjectBucketClaim", states::stream);
        assertThat(counts())
                .isEqualTo(Map.of("Pending None", 1.0, "Pending StoreUnavailable", 1.0, "Bound Bound", 1.0));

        states.replaceAll(_ -> bound());
        assertThat(counts()).as("all of them are Bound now").isEqualTo(Map.of("Bound Bound", 3.0));

        states.removeLast();
        assertThat(counts()).as("one was deleted").isEqualTo(Map.of("Bound Bound", 2.0));
    }

    @Test
    void onlyTheProcessThatLeadsCounts() {
        metrics.claims("ObjectBucketClaim", () -> Stream.of(bound()));
        leadership.lose();
        assertThat(counts()).isEmpty();
        leadership.gain();
        assertThat(counts()).isEqualTo(Map.of("Bound Bound", 1.0));
    }

    @Test
    void kindsAndRolesAreCountedApart() {
        RoleMetrics cosi = new RoleMetrics("cosi", meters, leadership, scraped);
        metrics.claims("ObjectBucketClaim", () -> Stream.of(bound()));
        cosi.claims("BucketRequest", () -> Stream.of(bound(), bound()));
        cosi.claims("BucketAccessRequest", () -> Stream.of(pending("None")));
        String text = scraped.read(meters::scrape);
        assertThat(text)
                .contains(
                        "bucketwright_claims{kind=\"ObjectBucketClaim\",phase=\"Bound\",reason=\"Bound\",role=\"buckets\"} 1")
                .contains(
                        "bucketwright_claims{kind=\"BucketRequest\",phase=\"Bound\",reason=\"Bound\",role=\"cosi\"} 2")
                .contains(
                        "bucketwright_claims{kind=\"BucketAccessRequest\",phase=\"Pending\",reason=\"None\",role=\"cosi\"} 1");
    }

    /** Anyone who may update a status can write any text into it. That must not create thousands of time series. */
    @Test
    void theNumberOfSeriesIsBoundedWhateverAStatusContains() {
        metrics.claims(
                "ObjectBucketClaim",
                () -> IntStream.range(0, 5000).mapToObj(i -> pending("R" + "ab".repeat(i % 30) + letters(i))));
        assertThat(counts()).hasSizeLessThanOrEqualTo(101);
        assertThat(counts().values().stream().mapToDouble(Double::doubleValue).sum())
                .isEqualTo(5000);
        assertThat(pending("a \"quoted\"\ntext").reason()).isEqualTo("Other");
        assertThat(pending("x".repeat(65)).reason()).isEqualTo("Other");
    }

    @Test
    void anObjectThatIsBeingDeletedIsCountedAsDeleting() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withDeletionTimestamp("2026-11-16T00:00:00Z")
                .endMetadata()
                .build();
        assertThat(StatusLabels.of(
                        pod,
                        "Bound",
                        List.of(new ConditionBuilder()
                                .withType("Ready")
                                .withReason("NotEmpty")
                                .build())))
                .isEqualTo(new StatusLabels("Deleting", "NotEmpty"));
        assertThat(StatusLabels.of(pod, "", List.of())).isEqualTo(new StatusLabels("Deleting", "None"));
    }

    @Test
    void theTimeToBoundBeginsWithTheCreation() {
        metrics.bound("ObjectBucketClaim", created("2026-11-16T11:59:57Z"), NOW);
        metrics.bound("ObjectBucketClaim", created("2026-11-16T12:00:02Z"), NOW);
        metrics.bound("ObjectBucketClaim", created("yesterday"), NOW);
        metrics.bound(
                "ObjectBucketClaim",
                new PodBuilder().withNewMetadata().endMetadata().build(),
                NOW);
        Timer timer = meters.get("bucketwright.time.to.bound")
                .tags("role", "buckets", "kind", "ObjectBucketClaim")
                .timer();
        assertThat(timer.count()).isEqualTo(2);
        assertThat(timer.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(meters.scrape())
                .contains(
                        "bucketwright_time_to_bound_seconds_bucket{kind=\"ObjectBucketClaim\",role=\"buckets\",le=\"2.0\"} 1")
                .contains(
                        "bucketwright_time_to_bound_seconds_bucket{kind=\"ObjectBucketClaim\",role=\"buckets\",le=\"5.0\"} 2");
    }

    @Test
    void theOldestCredentialsAndTheOverdueRotationsAreFound() {
        metrics.credentials(
                () -> Stream.of(
                        CredentialAge.of(created("2026-11-16T11:00:00Z"), "", CredentialAge.Rotation.OVERDUE, NOW),
                        CredentialAge.of(
                                created("2026-01-01T00:00:00Z"),
                                "2026-11-16T11:30:00Z",
                                CredentialAge.Rotation.NONE,
                                NOW)),
                () -> NOW);
        String text = scraped.read(meters::scrape);
        assertThat(text)
                .contains("bucketwright_credentials_oldest_seconds{role=\"buckets\"} 3600")
                .contains("bucketwright_credentials{role=\"buckets\",rotation=\"overdue\"} 1")
                .contains("bucketwright_credentials{role=\"buckets\",rotation=\"none\"} 1")
                .contains("bucketwright_credentials{role=\"buckets\",rotation=\"invalid\"} 0");
    }

    @Test
    void aCacheThatCannotBeCountedHidesNoOtherMetric() {
        metrics.gauges("bucketwright.broken", "", "x", () -> {
            throw new IllegalStateException("broken");
        });
        metrics.claims("ObjectBucketClaim", () -> Stream.of(bound()));
        assertThat(counts()).hasSize(1);
    }

    @Test
    void theProcessHasItsCpuTimeAndItsMemory() {
        ProcessMetrics.register(meters);
        String text = meters.scrape();
        assertThat(text)
                .contains("process_cpu_seconds_total ")
                .contains("process_start_time_seconds ")
                .contains("jvm_heap_max_bytes ");
        assertThat(meters.get("process.resident.memory").gauge().value()).isGreaterThan(1 << 20);
        assertThat(meters.get("process.start.time").gauge().value())
                .isBetween(
                        Instant.parse("2026-01-01T00:00:00Z").toEpochMilli() / 1e3,
                        Instant.now().toEpochMilli() / 1e3 + 1);
    }

    private Map<String, Double> counts() {
        return scraped.read(() -> {
            Map<String, Double> found = new TreeMap<>();
            for (Gauge gauge : meters.find("bucketwright.claims").gauges()) {
                found.put(gauge.getId().getTag("phase") + " " + gauge.getId().getTag("reason"), gauge.value());
            }
            return found;
        });
    }

    private static String letters(int number) {
        return Integer.toString(number, 10)
                .chars()
                .mapToObj(c -> Character.toString(c - '0' + 'a'))
                .reduce("", String::concat);
    }

    private static StatusLabels pending(String reason) {
        return new StatusLabels("Pending", reason);
    }

    private static StatusLabels bound() {
        return new StatusLabels("Bound", "Bound");
    }

    private static Pod created(String time) {
        return new PodBuilder()
                .withNewMetadata()
                .withCreationTimestamp(time)
                .endMetadata()
                .build();
    }
}
