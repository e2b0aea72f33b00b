package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerTest {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<ObjectKey> queue =
            new WorkQueue<>("test", time, new Backoff(FIRST, Duration.ofMinutes(1)), new Random(1), meters);
    private final FakeSource source = new FakeSource();
    private final ConfigMap object = FakeSource.object("a", "u1");
    private Optional<Controller<ObjectKey>> running = Optional.empty();

    @AfterEach
    void stop() throws InterruptedException {
        if (running.isPresent()) {
            running.get().stopAccepting();
        }
    }

    @Test
    void aKeyIsRequeuedAfterItsDelay() throws InterruptedException {
        Script script = new Script(Result.requeueAfter(Duration.ofMinutes(3)), Result.done());
        reconcileOnce(script);
        assertRequeuedAfter(Duration.ofMinutes(3), script);
    }

    @Test
    void aRetryableFailureBacksOffWithoutLimitAndCapped() throws InterruptedException {
        Script script = new Script(key -> Result.retry("the store is down"));
        start(script, 1);
        source.change(object);
        for (int run = 1; run <= 20; run++) {
            script.awaitRuns(run);
            awaitIdle();
            time.advance(Duration.ofMinutes(1));
        }
        script.awaitRuns(21);
    }

    static Stream<Result> waiting() {
        return Stream.of(Result.done(), Result.requiresChange("the name is illegal"));
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void doneAndAFailureThatRequiresAChangeWaitForTheNextEvent(Result first) throws InterruptedException {
        Script script = new Script(first, Result.done());
        reconcileOnce(script);
        assertThat(time.alarms()).isZero();
        time.advance(Duration.ofDays(365));
        assertThat(queue.depth()).isZero();
        source.change(object);
        script.awaitRuns(2);
    }

    @Test
    void anErrorOfTheApiServerDecidesWhenToRetry() throws InterruptedException {
        Script script = new Script(key -> {
            throw new ApiException(new ApiError.Throttled("slow down", Duration.ofSeconds(7)));
        });
        reconcileOnce(script);
        assertThat(queue.failing()).isZero();
        assertRequeuedAfter(Duration.ofSeconds(7), script);
    }

    @Test
    void aKeyWhoseCallToAnotherSystemIsRetriedCountsAsFailingOnce() {
        InFlightState<ObjectKey, String> state = new InFlightState<>(
                Leadership.always(), "", new Backoff(FIRST, Duration.ofMinutes(1)), time, new Random(1));
        Controller<ObjectKey> _ =
                new Controller<>("test", _ -> Result.done(), queue, Leadership.always(), meters).inFlight(state);
        ObjectKey key = ObjectKey.of(object);
        state.recordFailure(key, "provision", "", Problem.retryable("StoreUnavailable", "The store is down."));
        Duration _ = queue.retry(key);
        assertThat(meters.get("bucketwright.queue.backing.off").gauge().value()).isEqualTo(1);
        queue.forget(key);
        assertThat(queue.failing()).isEqualTo(1);
        state.clearFailure(key);
        assertThat(queue.failing()).isZero();
    }

    @Test
    void deletionResetsTheBackOff() throws InterruptedException {
        Script script = new Script(Result.retry("no"), Result.retry("no"), Result.done());
        reconcileOnce(script);
        time.advance(FIRST);
        script.awaitRuns(2);
        awaitIdle();
        assertThat(queue.failing()).isEqualTo(1);
        source.delete(object);
        script.awaitRuns(3);
        awaitIdle();
        assertThat(queue.failing()).isZero();
    }

    @Test
    void aRelatedObjectAddsTheKeysItNamedBeforeAndNow() throws InterruptedException {
        Script script = new Script(key -> Result.done());
        Controller<ObjectKey> controller = controller(script, 1, Leadership.always());
        controller.watchRelated(
                source,
                related -> List.of(new ObjectKey("ns", related.getMetadata().getName(), "owner")));
        begin(controller);
        source.change(FakeSource.object("old", "r"), FakeSource.object("new", "r"));
        script.awaitRuns(2);
        assertThat(script.keys()).extracting(ObjectKey::name).containsExactlyInAnyOrder("old", "new");
    }

    @Test
    void aKeyIsNeverReconciledByTwoWorkers() throws InterruptedException {
        ConcurrentMap<ObjectKey, AtomicInteger> workersByKey = new ConcurrentHashMap<>();
        AtomicInteger collisions = new AtomicInteger();
        Script script = new Script(key -> {
            AtomicInteger mine = workersByKey.computeIfAbsent(key, ignored -> new AtomicInteger());
            if (mine.incrementAndGet() > 1) {
                collisions.incrementAndGet();
            }
            LockSupport.parkNanos(1);
            mine.decrementAndGet();
            return Result.done();
        });
        start(script, 8);
        // Until enough work was done in between, however slowly the workers get their turn.
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofNanos(1))
                .until(() -> {
                    change("o", 3);
                    return script.runs() >= 1000;
                });
        queue.shutDown();
        assertThat(queue.awaitIdle(LONG)).isTrue();
        assertThat(collisions).hasValue(0);
    }

    @Test
    void slowKeysDoNotDelayOthers() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        Script script = new Script(key -> {
            if (key.name().startsWith("slow")) {
                release.await();
            }
            return Result.done();
        });
        start(script, 4);
        change("slow", 3);
        change("quick", 500);
        script.awaitRuns(503);
        Awaitility.await().until(() -> queue.depth() == 0 && queue.inWork() == 3);
        release.countDown();
    }

    @Test
    void nothingIsReconciledBeforeLeadershipAndNoKeyIsLost() throws InterruptedException {
        ManualLeadership leadership = new ManualLeadership();
        leadership.lose();
        Script script = new Script(key -> Result.done());
        begin(controller(script, 2, leadership).watch(source, Function.identity()));
        source.change(object);
        assertThat(queue.depth()).isZero();
        leadership.gain();
        script.awaitRuns(1);
    }

    @Test
    void leadershipLostWhileReconcilingRequeuesTheKeyWithoutBackOff() throws InterruptedException {
        ManualLeadership leadership = new ManualLeadership();
        AtomicInteger acts = new AtomicInteger();
        Script script = new Script(key -> {
            if (acts.incrementAndGet() == 1) {
                leadership.lose();
            }
            leadership.require();
            return Result.done();
        });
        begin(controller(script, 1, leadership).watch(source, Function.identity()));
        source.change(object);
        script.awaitRuns(1);
        awaitIdle();
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(queue.failing()).isZero();
        leadership.gain();
        script.awaitRuns(2);
        awaitIdle();
        assertThat(acts).hasValue(2);
    }

    @Test
    void stoppingFinishesInFlightWorkAndTakesNothingNew() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Script script = new Script(key -> {
            begun.countDown();
            release.await();
            return Result.done();
        });
        Controller<ObjectKey> controller = start(script, 1);
        source.change(object);
        source.change(FakeSource.object("b", "u2"));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        controller.stopAccepting();
        release.countDown();
        assertThat(controller.stop(LONG)).isTrue();
        assertThat(script.runs()).isEqualTo(1);
    }

    /** Code of others, such as a store, may interrupt a worker; only stopping may end it. */
    @Test
    void aWorkerContinuesAfterAStrayInterrupt() throws InterruptedException {
        Script script = new Script(key -> {
            Thread.currentThread().interrupt();
            return Result.done();
        });
        Controller<ObjectKey> controller = start(script, 1);
        for (int i = 1; i <= 3; i++) {
            source.change(FakeSource.object("a" + i, "u" + i));
            script.awaitRuns(i);
        }
        assertThat(controller.stop(LONG)).isTrue();
    }

    @Test
    void aKeyIsRequeuedWhenItsReconcilerIsInterrupted() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        Script script = new Script(key -> {
            if (runs.incrementAndGet() == 1) {
                throw new InterruptedException("by a store");
            }
            return Result.done();
        });
        Controller<ObjectKey> controller = start(script, 1);
        source.change(object);
        script.awaitRuns(2);
        assertThat(controller.stop(LONG)).isTrue();
    }

    /** Starts one worker, and waits until it has reconciled the object once. */
    private void reconcileOnce(Script script) throws InterruptedException {
        start(script, 1);
        source.change(object);
        script.awaitRuns(1);
        awaitIdle();
    }

    private void assertRequeuedAfter(Duration delay, Script script) throws InterruptedException {
        time.advance(delay.minusNanos(1));
        assertThat(queue.depth()).isZero();
        time.advance(Duration.ofNanos(1));
        script.awaitRuns(2);
    }

    private Controller<ObjectKey> start(Script script, int workers) {
        return begin(controller(script, workers, Leadership.always()).watch(source, Function.identity()));
    }

    private Controller<ObjectKey> controller(Script script, int workers, Leadership leadership) {
        return new Controller<>("test", script, queue, leadership, meters).workers(workers);
    }

    private Controller<ObjectKey> begin(Controller<ObjectKey> controller) {
        running = Optional.of(controller);
        controller.start();
        return controller;
    }

    private void change(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            source.change(FakeSource.object(prefix + i, prefix + "-uid-" + i));
        }
    }

    /** Until the worker has also settled the result: the script reports only that it was called. */
    private void awaitIdle() throws InterruptedException {
        assertThat(queue.awaitIdle(LONG)).isTrue();
    }

    /** A reconciler that returns given results and lets the test wait for its runs. */
    private static final class Script implements Reconciler<ObjectKey> {

        private final Reconciler<ObjectKey> answer;
        private final Semaphore calls = new Semaphore(0);
        private final BlockingQueue<ObjectKey> keys = new ArrayBlockingQueue<>(10_000);
        private int awaited;

        Script(Reconciler<ObjectKey> answer) {
            this.answer = answer;
        }

        Script(Result... results) {
            AtomicInteger next = new AtomicInteger();
            this.answer = key -> results[next.getAndIncrement()];
        }

        @Override
        public Result reconcile(ObjectKey key) throws InterruptedException {
            keys.add(key);
            calls.release();
            return answer.reconcile(key);
        }

        void awaitRuns(int total) throws InterruptedException {
            assertThat(calls.tryAcquire(total - awaited, 1, TimeUnit.MINUTES))
                    .as("run %s of the reconciler", total)
                    .isTrue();
            awaited = total;
        }

        int runs() {
            return keys.size();
        }

        List<ObjectKey> keys() {
            return List.copyOf(keys);
        }
    }
}
