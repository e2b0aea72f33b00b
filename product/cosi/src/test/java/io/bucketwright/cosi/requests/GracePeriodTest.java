package io.bucketwright.cosi.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GracePeriodTest {

    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");

    /** A controller on a node whose clock is hours behind must not wait for hours. */
    @ParameterizedTest
    @CsvSource({"PT-1S, PT2S", "PT-2.5S, PT0.5S", "PT0S, PT3S", "PT2H, PT3S"})
    void theWaitIsNeverLongerThanTheGracePeriod(Duration created, Duration wait) {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withCreationTimestamp(NOW.plus(created).toString())
                .withDeletionTimestamp(NOW.plus(created).toString())
                .endMetadata()
                .build();
        Decision<String> expected = Decision.finish(Result.requeueAfter(wait));
        assertThat(GracePeriod.OBSERVED.afterCreation(object, NOW, Decision::done))
                .isEqualTo(expected);
        assertThat(GracePeriod.OBSERVED.afterDeletion(object, NOW, Decision::done))
                .isEqualTo(expected);
    }
}
