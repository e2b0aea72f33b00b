package io.bucketwright.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

    @Test
    void anAlarmThatIsSetAfterCloseIsIgnored() {
        SystemTime time = new SystemTime();
        time.close();
        assertThatCode(() -> time.after(Duration.ofSeconds(1), () -> {}).cancel())
                .doesNotThrowAnyException();
    }
}
