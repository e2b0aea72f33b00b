package io.bucketwright.volumes.directories.roots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {

    private static final Outcome LEFT = Outcome.finish(Result.done());

    private final Lane lane = new Lane("disk", 1);
    private final CountDownLatch disk = new CountDownLatch(1);
    private final AtomicInteger woken = new AtomicInteger();

    @AfterEach
    void close() {
        disk.countDown();
        lane.close();
    }

    @Test
    void aStepThatIsQuickIsJustDone() throws InterruptedException {
        assertThat(lane.act("key", woken::incrementAndGet, Outcome::progress)).isEqualTo(Outcome.progress());
        assertThat(woken).hasValue(0);
    }

    @Test
    void aWorkerLeavesAStepThatHangsAndItsKeyComesBackWhenItIsOver() throws InterruptedException {
        assertThat(lane.act("key", woken::incrementAndGet, this::hang)).isEqualTo(LEFT);
        // Whoever brings the key back earlier does not begin it twice.
        assertThat(lane.act("key", woken::incrementAndGet, this::hang)).isEqualTo(LEFT);
        assertThat(woken).hasValue(0);
        disk.countDown();
        await().until(() -> woken.get() == 1);
        assertThat(lane.act("key", woken::incrementAndGet, Outcome::progress)).isEqualTo(Outcome.progress());
    }

    @Test
    void aLateFailureIsTheKeysNextOutcome() throws InterruptedException {
        Outcome failed = Outcome.finish(Result.retry("too late"));
        lane.act("key", woken::incrementAndGet, () -> {
            hang();
            return failed;
        });
        disk.countDown();
        await().until(() -> woken.get() == 1);
        assertThat(lane.act("key", woken::incrementAndGet, Outcome::progress)).isEqualTo(failed);
        assertThat(lane.act("key", woken::incrementAndGet, Outcome::progress)).isEqualTo(Outcome.progress());
    }

    @Test
    void aWorkerThatFindsNoThreadDoesNotWaitAndItsKeyComesBackWhenThereIsOne() throws InterruptedException {
        lane.act("hanging", () -> {}, this::hang);
        assertThat(lane.act("other", woken::incrementAndGet, Outcome::progress)).isEqualTo(LEFT);
        assertThat(woken).hasValue(0);
        disk.countDown();
        await().until(() -> woken.get() == 1);
        assertThat(lane.act("other", woken::incrementAndGet, Outcome::progress)).isEqualTo(Outcome.progress());
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
