package io.bucketwright.cosi.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.cosi.requests.OperationMetrics.Status;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationMetricsTest {

    private static final Instant BEGAN = Instant.parse("2030-01-01T00:00:00Z");

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OperationMetrics operations = new OperationMetrics(meters);

    @Test
    void theMetricsHaveTheNamesLabelsAndBoundsOfTheProposal() {
        operations.record(creation(Status.SUCCEEDED), BEGAN.plusMillis(300));
        String text = meters.scrape();
        for (String bound : List.of(
                "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "15.0", "30.0", "60.0", "120.0", "300.0", "600.0",
                "+Inf")) {
            assertThat(text)
                    .contains("cosi_operation_total_seconds_bucket{driver_name=\"s3.test\",operation=\"Create\","
                            + "resource_kind=\"BucketRequest\",le=\"" + bound + "\"} "
                            + (bound.equals("0.1") || bound.equals("0.25") ? 0 : 1));
        }
        assertThat(text.lines().filter(line -> line.startsWith("cosi_operation_total_seconds_bucket")))
                .hasSize(14);
        assertThat(text)
                .contains("cosi_operation_count{driver_name=\"s3.test\",operation=\"Create\","
                        + "resource_kind=\"BucketRequest\",status=\"Succeeded\"} 1");
    }

    @Test
    void whatWasCanceledIsCountedApart() {
        operations.record(creation(Status.SUCCEEDED), BEGAN);
        operations.record(creation(Status.CANCELED), BEGAN);
        operations.record(creation(Status.CANCELED), BEGAN);
        operations.record(Operation.NONE, BEGAN);
        assertThat(meters.scrape())
                .contains("status=\"Canceled\"} 2")
                .contains("status=\"Succeeded\"} 1")
                .doesNotContain("status=\"Unknown\"");
    }

    private static Operation creation(Status status) {
        return new Operation("s3.test", "BucketRequest", "Create", status, BEGAN);
    }
}
