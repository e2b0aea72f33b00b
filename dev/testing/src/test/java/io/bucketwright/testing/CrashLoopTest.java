package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrashLoopTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 23})
    void countsTheRunsWhoseFaultFired(int requests) throws InterruptedException {
        List<Integer> runs = new CopyOnWriteArrayList<>();

        int fired = CrashLoop.untilNothingFires(number -> {
            runs.add(number);
            return number <= requests;
        });

        assertThat(fired).isEqualTo(requests);
        assertThat(runs).doesNotHaveDuplicates().hasSizeBetween(requests + 1, requests + 2);
    }

    @Test
    void aFailedRunIsReportedWithItsNumberAndEndsTheLoop() {
        List<Integer> runs = new CopyOnWriteArrayList<>();
        CompletableFuture<Thread> failed = new CompletableFuture<>();

        assertThatThrownBy(() -> CrashLoop.untilNothingFires(number -> {
                    runs.add(number);
                    if (number == 3) {
                        failed.complete(Thread.currentThread());
                        throw new IllegalStateException("two buckets");
                    }
                    if (number > 3) {
                        failed.get(1, TimeUnit.MINUTES).join();
                    }
                    return true;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("request 3")
                .hasRootCauseMessage("two buckets");

        assertThat(runs).contains(1, 2, 3).hasSizeLessThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void runsInOrderExecuteOneAfterAnotherUpToTheFirstThatDoesNotFire(int requests) throws InterruptedException {
        List<Integer> runs = new CopyOnWriteArrayList<>();
        AtomicInteger running = new AtomicInteger();

        int fired = CrashLoop.untilNothingFiresInOrder(number -> {
            assertThat(running.incrementAndGet()).isEqualTo(1);
            runs.add(number);
            running.decrementAndGet();
            return number <= requests;
        });

        assertThat(fired).isEqualTo(requests);
        assertThat(runs)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, requests + 1).boxed().toList());
    }

    @Test
    void runsExecuteInParallel() throws InterruptedException {
        CountDownLatch together = new CountDownLatch(2);

        int fired = CrashLoop.untilNothingFires(_ -> {
            together.countDown();
            assertThat(together.await(1, TimeUnit.MINUTES)).isTrue();
            return false;
        });

        assertThat(fired).isZero();
    }
}
