package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTimingTest {

    @Test
    void theStandardIsThatOfKubernetesItself() {
        assertThat(LeaseTiming.standard().lease()).isEqualTo(Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @CsvSource({
        "PT3S,   PT3S,   PT1S,   could be taken while this process acts",
        "PT2.5S, PT2.2S, PT0.1S, whole seconds",
        "PT5S,   PT3S,   PT2S,   no second attempt"
    })
    void refusesUnsafeTimes(Duration lease, Duration renewWithin, Duration retry, String message) {
        assertThatThrownBy(() -> new LeaseTiming(lease, renewWithin, retry)).hasMessageContaining(message);
    }
}
