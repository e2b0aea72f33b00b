package io.bucketwright.runtime.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0.0002S,0s",
        "PT0S,0s",
        "PT0.129S,129ms",
        "PT1S,1s",
        "PT1.56S,1.5s",
        "PT59.04S,59s",
        "PT59.96S,59.9s",
        "PT60.5S,1m",
        "PT61S,1m1s",
        "PT1H30M,1h30m",
        "PT48H,48h",
        "PT-1.5S,-1.5s"
    })
    void durationsAreWrittenAsKubernetesDoes(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
