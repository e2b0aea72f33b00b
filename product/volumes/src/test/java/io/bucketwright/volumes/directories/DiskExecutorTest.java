package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DiskExecutorTest {

    private static final Outcome NOT_COMPLETED = Outcome.finish(Result.pending());

    private final ManualTime time = new ManualTime();
    private final AtomicInteger hangs = new AtomicInteger();
    private final DiskExecutor executor =
            new DiskExecutor("disk", 1, Duration.ofSeconds(10), time, hangs::incrementAndGet);
    private final CountDownLatch disk = new CountDownLatch(1);
    private final AtomicInteger requeued = new AtomicInteger();
    private final Runnable hanging = new AtomicInteger()::incrementAndGet;
    private final Runnable key = requeued::incrementAndGet;
    private final Runnable other = requeued::incrementAndGet;

    @AfterEach
    void close() {
        disk.countDown();
        executor.close();
    }

    @Test
    void aShortOperationCompletes() throws InterruptedException {
        assertThat(executor.run(key, Outcome::progress)).isEqualTo(Outcome.progress());
        assertThat(requeued).hasValue(0);
    }

    @Test
    void aWorkerDoesNotWaitForAHangingOperationAndTheKeyIsRequeuedWhenItCompletes() throws InterruptedException {
        assertThat(executor.run(key, this::hang)).isEqualTo(NOT_COMPLETED);
        // The operation is not started twice.
        assertThat(executor.run(key, this::hang)).isEqualTo(NOT_COMPLETED);
        completeAndAwaitRequeued(1);
        assertThat(executor.run(key, Outcome::progress)).isEqualTo(Outcome.progress());
    }

    @Test
    void aLateFailureIsTheNextOutcomeOfTheKey() throws InterruptedException {
        Outcome failed = Outcome.finish(Result.retry("too late"));
        executor.run(key, () -> {
            hang();
            return failed;
        });
        completeAndAwaitRequeued(1);
        assertThat(executor.run(key, Outcome::progress)).isEqualTo(failed);
        assertThat(executor.run(key, Outcome::progress)).isEqualTo(Outcome.progress());
    }

    @Test
    void aWorkerDoesNotWaitForAThreadAndTheKeyIsRequeuedWhenOneIsFree() throws InterruptedException {
        executor.run(hanging, this::hang);
        assertThat(executor.run(other, Outcome::progress)).isEqualTo(NOT_COMPLETED);
        completeAndAwaitRequeued(1);
        assertThat(executor.run(other, Outcome::progress)).isEqualTo(Outcome.progress());
    }

    /** The volume of a waiting caller may be deleted meanwhile: it is requeued, and runs no operation. */
    @Test
    void aRequeuedKeyThatRunsNoOperationDoesNotKeepTheOthersWaiting() throws InterruptedException {
        executor.run(hanging, this::hang);
        executor.run(() -> {}, Outcome::progress);
        executor.run(key, Outcome::progress);
        executor.run(other, Outcome::progress);
        completeAndAwaitRequeued(2);
    }

    @Test
    void aCallerThatWaitsTwiceIsRequeuedOnce() throws InterruptedException {
        executor.run(hanging, this::hang);
        executor.run(key, Outcome::progress);
        executor.run(key, Outcome::progress);
        completeAndAwaitRequeued(1);
        assertThat(executor.run(other, Outcome::progress)).isEqualTo(Outcome.progress());
        assertThat(requeued).hasValue(1);
    }

    /** A volume is a key of two controllers, which measure it and remove it. */
    @Test
    void theSameKeyOfAnotherControllerIsAnotherCaller() throws InterruptedException {
        Runnable measurement = queue("measurement").adding("volume");
        Runnable removal = queue("removal").adding("volume");
        Outcome measured = Outcome.finish(Result.retry("measured"));
        executor.run(measurement, () -> {
            hang();
            return measured;
        });
        disk.countDown();
        await().until(() -> executor.run(removal, Outcome::progress).equals(Outcome.progress()));
        assertThat(executor.run(measurement, Outcome::progress)).isEqualTo(measured);
    }

    @Test
    void allKeysThatWaitAreRequeuedOnceWhenAnOperationHangs() throws InterruptedException {
        executor.run(key, this::hang);
        executor.run(other, Outcome::progress);
        time.advance(Duration.ofSeconds(5));
        assertThat(executor.isHanging()).isFalse();
        assertThat(requeued).hasValue(0);
        time.advance(Duration.ofSeconds(5));
        assertThat(executor.isHanging()).isTrue();
        assertThat(requeued).hasValue(2);
        assertThat(hangs).hasValue(1);
        time.advance(Duration.ofMinutes(5));
        assertThat(requeued).hasValue(2);
        disk.countDown();
        await().until(() -> requeued.get() == 4);
        assertThat(executor.isHanging()).isFalse();
    }

    @Test
    void anOperationThatReturnsInTimeIsNotReported() throws InterruptedException {
        executor.run(key, this::hang);
        completeAndAwaitRequeued(1);
        time.advance(Duration.ofMinutes(5));
        assertThat(requeued).hasValue(1);
        assertThat(hangs).hasValue(0);
        assertThat(time.alarms()).isZero();
    }

    private void completeAndAwaitRequeued(int keys) {
        assertThat(requeued).hasValue(0);
        disk.countDown();
        await().until(() -> requeued.get() == keys);
    }

    private WorkQueue<String> queue(String name) {
        return new WorkQueue<>(name, time, Backoff.standard(), new Random(0), new SimpleMeterRegistry());
    }

    private Outcome hang() {
        try {
            disk.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Outcome.progress();
    }
}
