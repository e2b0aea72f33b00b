package io.bucketwright.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration CAP = Duration.ofSeconds(60);

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<String> queue =
            new WorkQueue<>("test", time, new Backoff(FIRST, CAP), new Random(7), meters);

    @Test
    void aKeyInWorkIsNotHandedToASecondWorker() {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.add("a");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void addsDuringWorkBringTheKeyBackOnce() {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.add("a");
        queue.add("a");
        queue.add("a");
        queue.done("a");
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void addsBeforeWorkAreOne() {
        queue.add("a");
        queue.add("a");
        assertThat(queue.depth()).isEqualTo(1);
    }

    @Test
    void keysComeInTheOrderTheyEntered() {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).contains("b");
    }

    @Test
    void aFailedKeyComesBackAfterItsBackOffAndNotBefore() {
        Duration delay = fail("a");
        time.advance(delay.minusNanos(1));
        assertThat(queue.poll()).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void aDelayLongerThanNanosecondsCanTellBringsTheKeyBackEarlierInsteadOfFailing() {
        queue.addAfter("a", Duration.ofDays(365 * 8000L));
        assertThat(queue.poll()).isEmpty();
        time.advance(Duration.ofDays(366));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void backOffGrowsPerKeyAndIsCapped() {
        Duration tenth = Duration.ZERO;
        for (int i = 0; i < 10; i++) {
            tenth = fail("a");
        }
        assertThat(tenth).isBetween(CAP.dividedBy(2), CAP);
        assertThat(fail("b")).isBetween(FIRST.dividedBy(2), FIRST);
    }

    @Test
    void successClearsTheBackOff() {
        for (int i = 0; i < 10; i++) {
            fail("a");
        }
        queue.forget("a");
        assertThat(fail("a")).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void aNewLifeOfAnObjectStartsFresh() {
        WorkQueue<ObjectKey> objects = new WorkQueue<>("objects", time, new Backoff(FIRST, CAP), new Random(7), meters);
        ObjectKey before = new ObjectKey("ns", "claim", "uid-1");
        ObjectKey after = new ObjectKey("ns", "claim", "uid-2");
        for (int i = 0; i < 10; i++) {
            objects.retry(before);
        }
        assertThat(objects.retry(after)).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void anEventDoesNotWaitForTheBackOff() {
        for (int i = 0; i < 10; i++) {
            fail("a");
        }
        queue.add("a");
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void takingAKeyDropsItsPendingDelay() {
        queue.addAfter("a", Duration.ofMinutes(10));
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        time.advance(Duration.ofMinutes(10));
        assertThat(queue.poll()).isEmpty();
        assertThat(time.alarms()).isZero();
    }

    @Test
    void ofTwoDelaysTheEarlierCounts() {
        queue.addAfter("a", Duration.ofMinutes(10));
        queue.addAfter("a", Duration.ofMinutes(1));
        queue.addAfter("a", Duration.ofMinutes(5));
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        time.advance(Duration.ofMinutes(60));
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void aDelayThatEndsDuringWorkBringsTheKeyBack() {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.addAfter("a", Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(queue.poll()).isEmpty();
        queue.done("a");
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void doneTwiceIsADefectAndSaysSo() {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        assertThatThrownBy(() -> queue.done("a")).hasMessageContaining("Key a is not being reconciled");
    }

    @Test
    void afterShutdownNothingEntersOrLeavesAndWaitersAreFreed() throws InterruptedException {
        AtomicReference<Optional<String>> taken = new AtomicReference<>(Optional.of("never"));
        CountDownLatch ended = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                taken.set(queue.take());
                ended.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        queue.shutDown();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(taken.get()).isEmpty();
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(2));
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void idleComesWithTheLastKeyInWork() throws InterruptedException {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.shutDown();
        CountDownLatch idle = new CountDownLatch(1);
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                if (queue.awaitIdle(Duration.ofHours(1))) {
                    idle.countDown();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(idle.getCount()).isEqualTo(1);
        queue.done("a");
        waiter.join();
        assertThat(idle.getCount()).isZero();
    }

    @Test
    void waitingForIdleEndsWithItsDeadline() throws InterruptedException {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        AtomicReference<Boolean> drained = new AtomicReference<>(true);
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                drained.set(queue.awaitIdle(Duration.ofSeconds(5)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (time.alarms() == 0) {
            Thread.onSpinWait();
        }
        time.advance(Duration.ofSeconds(5));
        waiter.join();
        assertThat(drained.get()).isFalse();
    }

    @Test
    void metricsTellDepthAddsRetriesAndTimes() {
        queue.add("a");
        queue.add("b");
        assertThat(meters.get("bucketwright.queue.depth").gauge().value()).isEqualTo(2);
        time.advance(Duration.ofSeconds(3));
        assertThat(queue.poll()).contains("a");
        time.advance(Duration.ofSeconds(2));
        queue.retry("a");
        queue.done("a");
        assertThat(meters.get("bucketwright.queue.adds").counter().count()).isEqualTo(2);
        assertThat(meters.get("bucketwright.queue.retries").counter().count()).isEqualTo(1);
        assertThat(meters.get("bucketwright.queue.waiting").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(meters.get("bucketwright.queue.working").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(2);
    }

    private Duration fail(String key) {
        queue.add(key);
        assertThat(queue.poll()).contains(key);
        Duration delay = queue.retry(key);
        queue.done(key);
        return delay;
    }
}
