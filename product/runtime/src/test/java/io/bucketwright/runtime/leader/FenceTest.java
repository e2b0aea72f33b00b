package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FenceTest {

    private static final Duration LASTS = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final Fence fence = new Fence(time);

    @Test
    void isClosedInTheBeginning() {
        assertThat(fence.held()).isFalse();
    }

    @Test
    void countsFromBeforeTheRenewalWasSent() {
        Fence.Attempt slow = fence.attempt();
        time.advance(Duration.ofSeconds(4));
        fence.open(slow, 1, LASTS);
        time.advance(Duration.ofSeconds(6).minusNanos(1));
        assertThat(fence.held()).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(fence.held()).isFalse();
    }

    @Test
    void anAnswerThatComesTooLateDoesNotOpenIt() {
        Fence.Attempt tooSlow = fence.attempt();
        time.advance(LASTS);
        fence.open(tooSlow, 1, LASTS);
        assertThat(fence.held()).isFalse();
    }

    @Test
    void isClosedAfterTheMachineSleptAlthoughTheMonotonicClockStopped() {
        fence.open(fence.attempt(), 1, LASTS);
        time.setWall(LASTS);
        assertThat(fence.held()).isFalse();
    }

    @Test
    void settingTheClockBackDoesNotProlongIt() {
        fence.open(fence.attempt(), 1, LASTS);
        time.setWall(Duration.ofHours(-1));
        time.advance(LASTS);
        assertThat(fence.held()).isFalse();
    }

    @Test
    void whatIsLeftIsTheShorterOfBothClocksAndOfOneTermOnly() {
        assertThat(fence.remaining()).isZero();
        fence.open(fence.attempt(), 1, LASTS);
        long term = fence.term();
        time.advance(Duration.ofSeconds(4));
        assertThat(fence.remaining()).isEqualTo(Duration.ofSeconds(6));
        time.setWall(Duration.ofSeconds(2));
        assertThat(fence.remainingIn(term)).isEqualTo(Duration.ofSeconds(4));
        time.setWall(Duration.ofHours(-1));
        assertThat(fence.remainingIn(term)).isEqualTo(Duration.ofSeconds(6));
        time.setWall(Duration.ZERO);
        fence.open(fence.attempt(), 3, LASTS);
        assertThat(fence.remaining()).isEqualTo(LASTS);
        assertThat(fence.remainingIn(term)).isZero();
    }

    @Test
    void notifiesWhenItOpensAndNotWhenItIsRenewed() {
        AtomicInteger opened = new AtomicInteger();
        fence.onGained(opened::incrementAndGet);
        fence.open(fence.attempt(), 1, LASTS);
        time.advance(Duration.ofSeconds(5));
        fence.open(fence.attempt(), 1, LASTS);
        assertThat(opened).hasValue(1);
        time.advance(LASTS);
        fence.open(fence.attempt(), 2, LASTS);
        assertThat(opened).hasValue(2);
        assertThat(fence.term()).isEqualTo(2);
    }

    @Test
    void whoFoundItClosedIsNotifiedAlthoughTheClockWasSetBackAgain() {
        AtomicInteger opened = new AtomicInteger();
        fence.onGained(opened::incrementAndGet);
        fence.open(fence.attempt(), 1, LASTS);
        time.setWall(LASTS);
        assertThat(fence.held()).isFalse();
        time.setWall(Duration.ZERO);
        fence.open(fence.attempt(), 1, LASTS);
        assertThat(opened).hasValue(2);
    }

    @Test
    void aListenerThatFailsHidesLeadershipFromNoOther() {
        AtomicInteger opened = new AtomicInteger();
        fence.onGained(() -> {
            throw new IllegalStateException("a defect");
        });
        fence.onGained(() -> {
            throw new AssertionError("another one");
        });
        fence.onGained(opened::incrementAndGet);
        fence.open(fence.attempt(), 1, LASTS);
        assertThat(opened).hasValue(1);
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
}
