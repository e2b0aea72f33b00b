package io.bucketwright.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

    @Property
    void neverShorterThanHalfTheFirstNorLongerThanTheCap(@ForAll @IntRange(min = 1) int failures, @ForAll long seed) {
        Duration delay = BACKOFF.delay(failures, new Random(seed));
        assertThat(delay).isBetween(BACKOFF.first().dividedBy(2), BACKOFF.cap());
    }

    @Property
    void staysWithinHalfAndWholeOfTheDoubledDelay(@ForAll @IntRange(min = 1, max = 6) int failures, @ForAll long seed) {
        Duration whole = BACKOFF.first().multipliedBy(1L << (failures - 1));
        assertThat(BACKOFF.delay(failures, new Random(seed))).isBetween(whole.dividedBy(2), whole);
    }

    @Test
    void jitterSpreadsKeysThatFailedTogether() {
        Random random = new Random(1);
        long different = java.util.stream.Stream.generate(() -> BACKOFF.delay(8, random))
                .limit(100)
                .distinct()
                .count();
        assertThat(different).isGreaterThan(90);
    }

    @Test
    void refusesACapBelowTheFirstDelay() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("first PT2S and cap PT1S");
    }
}
