package io.bucketwright.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration CAP = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<String> queue =
            new WorkQueue<>("test", time, new Backoff(FIRST, CAP), new Random(7), meters);

    @Test
    void aKeyThatIsBeingReconciledIsNotGivenToASecondWorker() {
        take("a");
        queue.add("a");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void addsDuringReconcilingRequeueTheKeyOnce() {
        take("a");
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
    void keysAreTakenInTheOrderTheyWereAdded() {
        queue.add("a");
        queue.add("b");
        take("a");
        assertThat(queue.poll()).contains("b");
    }

    @Test
    void aFailedKeyIsReadyAfterItsBackOffAndNotBefore() {
        Duration delay = fail("a");
        time.advance(delay.minusNanos(1));
        assertThat(queue.poll()).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void aDelayThatOverflowsNanosecondsIsShortenedInsteadOfFailing() {
        queue.addAfter("a", Duration.ofDays(365 * 8000L));
        assertThat(queue.poll()).isEmpty();
        time.advance(Duration.ofDays(366));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void backOffGrowsPerKeyAndIsCapped() {
        assertThat(failTenTimes("a")).isBetween(CAP.dividedBy(2), CAP);
        assertThat(fail("b")).isBetween(FIRST.dividedBy(2), FIRST);
    }

    @Test
    void successClearsTheBackOff() {
        failTenTimes("a");
        queue.forget("a");
        assertThat(fail("a")).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void anObjectThatWasCreatedAgainStartsWithoutBackOff() {
        WorkQueue<ObjectKey> objects = new WorkQueue<>("objects", time, new Backoff(FIRST, CAP), new Random(7), meters);
        ObjectKey before = new ObjectKey("ns", "claim", "uid-1");
        ObjectKey after = new ObjectKey("ns", "claim", "uid-2");
        for (int i = 0; i < 10; i++) {
            objects.retry(before);
        }
        assertThat(objects.retry(after)).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void aKeyWhoseTenantCannotBeReadIsReconciledAllTheSame() {
        queue.tenants(_ -> {
            throw new IllegalStateException("an object without a spec");
        });
        queue.add("a");
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void namespacesTakeTurns() {
        WorkQueue<ObjectKey> objects = new WorkQueue<>("objects", time, new Backoff(FIRST, CAP), new Random(7), meters);
        for (int i = 0; i < 500; i++) {
            objects.add(new ObjectKey("many", "claim-" + i, "many-" + i));
        }
        for (int i = 0; i < 3; i++) {
            objects.add(new ObjectKey("few", "claim-" + i, "few-" + i));
        }
        List<String> taken = Stream.generate(() -> objects.poll().orElseThrow())
                .limit(7)
                .map(ObjectKey::uid)
                .toList();
        assertThat(taken).containsExactly("few-0", "few-1", "few-2", "many-0", "many-1", "many-2", "many-3");
        assertThat(objects.depth()).isEqualTo(496);
    }

    @Test
    void anEventDoesNotWaitForTheBackOff() {
        failTenTimes("a");
        take("a");
    }

    @Test
    void takingAKeyDropsItsPendingDelay() {
        queue.addAfter("a", Duration.ofMinutes(10));
        take("a");
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
    void aDelayThatEndsDuringReconcilingRequeuesTheKey() {
        take("a");
        queue.addAfter("a", Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(queue.poll()).isEmpty();
        queue.done("a");
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void doneTwiceIsReportedAsADefect() {
        take("a");
        queue.done("a");
        assertThatThrownBy(() -> queue.done("a")).hasMessageContaining("Key a is not being reconciled");
    }

    @Test
    void afterShutdownNothingEntersOrLeavesAndWaitersReturn() {
        Future<Optional<String>> taken = inBackground(queue::take);
        queue.shutDown();
        assertThat(taken).succeedsWithin(LONG).isEqualTo(Optional.empty());
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(2));
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void isIdleWhenTheLastKeyIsDone() {
        take("a");
        queue.shutDown();
        Future<Boolean> idle = inBackground(() -> queue.awaitIdle(Duration.ofHours(1)));
        assertThat(idle).isNotDone();
        queue.done("a");
        assertThat(idle).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void waitingForIdleEndsWithItsDeadline() {
        take("a");
        Future<Boolean> idle = inBackground(() -> queue.awaitIdle(Duration.ofSeconds(5)));
        while (time.alarms() == 0) {
            Thread.onSpinWait();
        }
        time.advance(Duration.ofSeconds(5));
        assertThat(idle).succeedsWithin(LONG).isEqualTo(false);
    }

    @Test
    void metricsReportDepthAddsRetriesAndTimes() {
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

    private void take(String key) {
        queue.add(key);
        assertThat(queue.poll()).contains(key);
    }

    private static <T> Future<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    private Duration failTenTimes(String key) {
        for (int i = 1; i < 10; i++) {
            fail(key);
        }
        return fail(key);
    }

    private Duration fail(String key) {
        take(key);
        Duration delay = queue.retry(key);
        queue.done(key);
        return delay;
    }
}
