package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTimingTest {

    @Test
    void theStandardIsThatOfKubernetesItself() {
        assertThat(LeaseTiming.standard().lease()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void refusesToActForAsLongAsTheLease() {
        assertThatThrownBy(() -> new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofSeconds(1)))
                .hasMessageContaining("could be taken while this process acts");
    }

    @Test
    void refusesFractionsThatTheApiWouldCutOff() {
        assertThatThrownBy(
                        () -> new LeaseTiming(Duration.ofMillis(2500), Duration.ofMillis(2200), Duration.ofMillis(100)))
                .hasMessageContaining("whole seconds");
    }

    @Test
    void refusesASingleChanceToRenew() {
        assertThatThrownBy(() -> new LeaseTiming(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(2)))
                .hasMessageContaining("no second attempt");
    }
}
