package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FenceRaceTest {

    private static final Duration LASTS = Duration.ofSeconds(10);

    /** Time that passes while somebody reads the clock, as it does for a thread that is not scheduled. */
    private static final class Slipping implements TimeSource {
        private Duration passed = Duration.ZERO;
        private Runnable meanwhile = () -> {};

        @Override
        public long nanos() {
            return passed.toNanos();
        }

        @Override
        public Instant now() {
            Instant read = Instant.EPOCH.plus(passed);
            Runnable happens = meanwhile;
            meanwhile = () -> {};
            happens.run();
            return read;
        }

        @Override
        public Alarm after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("the fence needs no alarm");
        }
    }

    @Test
    void whoFindsItClosedJustBeforeALateRenewalIsNotified() {
        Slipping time = new Slipping();
        Fence fence = new Fence(time);
        AtomicInteger notified = new AtomicInteger();
        AtomicBoolean waits = new AtomicBoolean();
        fence.onGained(notified::incrementAndGet);
        fence.open(fence.attempt(), 1, LASTS);
        assertThat(notified).hasValue(1);

        time.passed = LASTS.minusSeconds(1);
        Fence.Attempt renewal = fence.attempt();
        time.meanwhile = () -> {
            time.passed = LASTS.plusSeconds(1);
            waits.set(!fence.held());
        };
        fence.open(renewal, 1, LASTS);

        assertThat(fence.held()).isTrue();
        assertThat(waits.get() && notified.get() == 1)
                .as("a worker waits for an open fence and is not notified")
                .isFalse();
    }
}
