package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Code of others, such as a store, may interrupt a worker; only stopping may end it. */
class InterruptedWorkerTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<ObjectKey> queue = new WorkQueue<>(
            "test", new ManualTime(), new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)), new Random(1), meters);
    private final FakeSource source = new FakeSource();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aWorkerContinuesAfterAStrayInterrupt() throws InterruptedException {
        Controller<ObjectKey> controller = start(key -> {
            Thread.currentThread().interrupt();
            runs.incrementAndGet();
            return Result.done();
        });
        for (int i = 1; i <= 3; i++) {
            source.change(FakeSource.object("a" + i, "u" + i));
            awaitRuns(i);
        }
        assertThat(controller.stop(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void aKeyIsRequeuedWhenItsReconcilerIsInterrupted() throws InterruptedException {
        Controller<ObjectKey> controller = start(key -> {
            if (runs.incrementAndGet() == 1) {
                throw new InterruptedException("by whom?");
            }
            return Result.done();
        });
        source.change(FakeSource.object("a", "u"));
        awaitRuns(2);
        assertThat(controller.stop(Duration.ofSeconds(30))).isTrue();
    }

    private void awaitRuns(int expected) {
        Awaitility.await("run " + expected).atMost(Duration.ofSeconds(30)).until(() -> runs.get() == expected);
    }

    private Controller<ObjectKey> start(Reconciler<ObjectKey> reconciler) {
        Controller<ObjectKey> controller = new Controller<>("test", reconciler, queue, Leadership.always(), meters)
                .watch(source, Function.identity());
        controller.start();
        return controller;
    }
}
