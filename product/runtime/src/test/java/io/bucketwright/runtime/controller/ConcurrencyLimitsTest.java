package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyLimitsTest {

    private static final String SLOW = "slow";
    private static final String FAST = "fast";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<String> queue = new WorkQueue<>("test", time, Backoff.standard(), new Random(1), meters);
    private final ConcurrencyLimits<String> limits = ConcurrencyLimits.forWorkers(8);
    private final List<String> served = new ArrayList<>();
    private final Set<String> cancelled = new HashSet<>();
    private final AtomicInteger reconciled = new AtomicInteger();

    @Test
    void manyKeysOfASlowDependencyAreServedInOrderWithoutPollingAndDelayNoOthers() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        List<String> waiting = IntStream.range(0, 2000).mapToObj(i -> SLOW + i).toList();
        Controller<String> controller = controller(answer).workers(8);
        waiting.forEach(controller::add);
        controller.start();
        try {
            Awaitility.await().atMost(LONG).until(() -> reconciled.get() == 2000);
            controller.add(FAST);
            Awaitility.await().atMost(LONG).until(() -> isServed(FAST));
            assertThat(limits.waiting(SLOW)).isEqualTo(2000 - 3);
            assertThat(reconciled).as("a waiting key is not reconciled").hasValue(2001);
            assertThat(time.alarms()).isZero();
            answer.countDown();
            Awaitility.await().atMost(LONG).until(() -> isServed(waiting.getLast()));
        } finally {
            controller.stop(LONG);
        }
        // Each key once to begin to wait and once to be served.
        assertThat(reconciled.get()).isLessThanOrEqualTo(2 * 2000 + 1);
        synchronized (served) {
            assertThat(served).hasSize(2001);
        }
    }

    @Test
    void keysAreServedInTheOrderInWhichTheyBeganToWait() throws InterruptedException {
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
        List<String> order = new ArrayList<>();
        nested = controller(
                one,
                key -> one.act(SLOW, key, () -> {
                    order.add(key);
                    if (key.equals("first")) {
                        runAll(keys);
                    }
                    // A new key, and an event of one that waits, change nothing.
                    if (order.size() == 50) {
                        runAll(List.of("last", "k99"));
                    }
                    return Outcome.progress();
                }));
        nested.add("first");
        while (nested.runNext()) {
            assertThat(order).hasSizeLessThanOrEqualTo(102);
        }
        assertThat(order.subList(1, 101)).isEqualTo(keys);
        assertThat(order).hasSize(102).endsWith("last");
    }

    @Test
    void aKeyThatWasServedWaitsForItsNextCallBeforeKeysThatWereNot() throws InterruptedException {
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
        List<String> calls = new ArrayList<>();
        Set<String> checked = new HashSet<>();
        nested = controller(one, key -> {
            Outcome outcome = Outcome.progress();
            while (outcome instanceof Outcome.Progress) {
                boolean last = checked.contains(key);
                outcome = one.act(SLOW, key, () -> {
                    calls.add((last ? "provision " : "check ") + key);
                    if (calls.size() == 1) {
                        runAll(keys);
                    }
                    checked.add(key);
                    return last ? Outcome.finish(Result.done()) : Outcome.progress();
                });
            }
            return outcome;
        });
        nested.add("first");
        while (nested.runNext()) {
            assertThat(calls).hasSizeLessThanOrEqualTo(2 * 21);
        }
        assertThat(calls.stream().filter(call -> call.startsWith("provision")).map(call -> call.substring(10)))
                .containsExactlyElementsOf(
                        Stream.concat(Stream.of("first"), keys.stream()).toList());
        assertThat(calls.indexOf("provision k0")).isLessThan(calls.indexOf("check k3"));
    }

    /** A tenant who edits a claim during each of its calls makes it need one more. */
    @Test
    void keysThatNeedOneMoreCallForEverDoNotKeepOthersWaiting() throws InterruptedException {
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        List<String> calls = new ArrayList<>();
        nested = controller(one, key -> {
            Outcome outcome = Outcome.progress();
            while (outcome instanceof Outcome.Progress) {
                outcome = one.act(SLOW, key, () -> {
                    calls.add(key);
                    if (calls.size() == 1) {
                        runAll(List.of("greedy-b", "honest"));
                    }
                    return key.equals("honest") ? Outcome.finish(Result.done()) : Outcome.progress();
                });
            }
            return outcome;
        });
        nested.add("greedy-a");
        while (calls.size() < 100 && nested.runNext()) {
            assertThat(calls.size()).isLessThanOrEqualTo(100);
        }
        assertThat(calls).contains("honest");
    }

    /** One tenant has 500 claims of three calls each, or of as many as it likes, because it edits them during their calls. */
    @ParameterizedTest
    @ValueSource(ints = {3, Integer.MAX_VALUE})
    void theClaimsOfOneTenantDoNotWaitForAllClaimsOfAnother(int callsOfMany) {
        ConcurrencyLimits<ObjectKey> one = new ConcurrencyLimits<>(1, 1);
        ObjectKey first = keys("first", 1).getFirst();
        List<ObjectKey> few = keys("few", 20);
        Deque<ObjectKey> ready = new ArrayDeque<>();
        one.connect(ready::add, ObjectKey::namespace);
        // During the first call all others begin to wait.
        one.act(SLOW, first, () -> {
            Stream.concat(keys("many", 500).stream(), few.stream()).forEach(key -> {
                one.act(SLOW, key, Outcome::progress);
                one.finished(key);
            });
            return Outcome.progress();
        });
        one.finished(first);

        Map<ObjectKey, Integer> calls = new HashMap<>();
        while (few.stream().anyMatch(key -> calls.getOrDefault(key, 0) < 3)) {
            ObjectKey key = ready.removeFirst();
            int wanted = key.namespace().equals("many") ? callsOfMany : 3;
            Outcome outcome = Outcome.progress();
            while (outcome instanceof Outcome.Progress && calls.getOrDefault(key, 0) < wanted) {
                outcome = one.act(SLOW, key, () -> {
                    calls.merge(key, 1, Integer::sum);
                    return Outcome.progress();
                });
            }
            one.finished(key);
        }
        assertThat(calls.values().stream().mapToInt(Integer::intValue).sum())
                .as("calls until the 60 of the other tenant are done")
                .isLessThan(2 * 60 + 10);
    }

    private static List<ObjectKey> keys(String namespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ObjectKey(namespace, "claim-" + i, namespace + "-" + i))
                .toList();
    }

    @Test
    void aKeyThatNeedsTheDependencyNoLongerPassesItsTurnOn() throws InterruptedException {
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        List<String> order = new ArrayList<>();
        Controller<String> controller = controller(
                one,
                key -> cancelled.contains(key)
                        ? Outcome.progress()
                        : one.act(SLOW, key, () -> {
                            order.add(key);
                            if (key.equals("a")) {
                                runAll(List.of("b", "c", "d"));
                            }
                            return Outcome.finish(Result.done());
                        }));
        this.nested = controller;
        controller.add("a");
        assertThat(controller.runNext()).isTrue();
        assertThat(one.waiting(SLOW)).isEqualTo(2);
        cancelled.addAll(Set.of("b", "c"));
        while (controller.runNext()) {
            assertThat(order).doesNotContain("b", "c");
        }
        assertThat(order).containsExactly("a", "d");
        controller.add("e");
        assertThat(controller.runNext()).isTrue();
        assertThat(order).as("the permit is free again").containsExactly("a", "d", "e");
    }

    @Test
    void aFailingStepReleasesItsPermit() {
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        assertThatThrownBy(() -> one.act(SLOW, "a", () -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        assertThat(one.act(SLOW, "b", Outcome::progress)).isEqualTo(Outcome.progress());
    }

    @Test
    void aControllerThatStopsFinishesItsCallAndBeginsNoOther() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        List<String> steps = new CopyOnWriteArrayList<>();
        ConcurrencyLimits<String> one = new ConcurrencyLimits<>(1, 1);
        Controller<String> stopped = controller(one, key -> {
            Outcome checked = one.act(SLOW, key, () -> {
                begun.countDown();
                await(answer);
                steps.add("check");
                return Outcome.progress();
            });
            // Writes to the API server are not limited.
            steps.add("publish " + checked.getClass().getSimpleName());
            return one.act(SLOW, key, () -> {
                steps.add("provision");
                return Outcome.progress();
            });
        });
        stopped.add("a");
        stopped.start();
        await(begun);
        stopped.stopAccepting();
        answer.countDown();
        assertThat(stopped.stop(LONG)).isTrue();
        assertThat(steps).containsExactly("check", "publish Progress");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void twoSlowDependenciesLeaveWorkersFree() {
        for (int workers : List.of(4, 8, 16, 64)) {
            ConcurrencyLimits<Integer> some = ConcurrencyLimits.forWorkers(workers);
            assertThat(2 * permits(some)).isLessThan(workers);
        }
    }

    @Test
    void besideSeveralSlowDependenciesAnotherOneIsServed() {
        for (int workers : List.of(8, 16, 64)) {
            for (int slow = 1; slow <= Math.min(4, workers / 4); slow++) {
                ConcurrencyLimits<Integer> some = ConcurrencyLimits.forWorkers(workers);
                AtomicInteger fast = new AtomicInteger();
                occupy(some, slow, () -> fast.set(nest(some, FAST, 1000)));
                assertThat(fast.get() - 1000)
                        .as("calls of another dependency beside %s slow ones and %s workers", slow, workers)
                        .isPositive();
            }
        }
    }

    @Test
    void allDependenciesTogetherLeaveAWorkerForKeysThatNeedNone() {
        for (int workers : List.of(4, 8, 16, 64)) {
            ConcurrencyLimits<Integer> some = ConcurrencyLimits.forWorkers(workers);
            AtomicInteger used = new AtomicInteger();
            used.set(occupy(some, 3 * workers, () -> {}));
            assertThat(used).hasValueLessThan(workers);
        }
    }

    @Test
    void oneDependencyMayUseAsManyWorkersAsBefore() {
        assertThat(permits(ConcurrencyLimits.forWorkers(16))).isEqualTo(6);
        assertThat(permits(ConcurrencyLimits.forWorkers(8))).isEqualTo(3);
        assertThat(permits(ConcurrencyLimits.forWorkers(1))).isEqualTo(1);
    }

    @Test
    void whatOneDependencyFreesIsPassedOnToAnother() {
        ConcurrencyLimits<String> two = ConcurrencyLimits.forWorkers(4);
        List<String> added = new ArrayList<>();
        two.connect(added::add, _ -> "");
        two.act("a", "a", () -> {
            two.act("b", "b", () -> {
                two.act("c", "c", () -> {
                    assertThat(two.act("d", "d", Outcome::progress)).isEqualTo(Outcome.finish(Result.pending()));
                    two.finished("d");
                    assertThat(added).isEmpty();
                    return Outcome.progress();
                });
                return Outcome.progress();
            });
            return Outcome.progress();
        });
        assertThat(added).containsExactly("d");
    }

    /** Lets slow dependencies take all permits that they get, does something meanwhile, and returns how many they got. */
    private static int occupy(ConcurrencyLimits<Integer> some, int slow, Runnable meanwhile) {
        AtomicInteger all = new AtomicInteger();
        if (slow == 0) {
            meanwhile.run();
            return 0;
        }
        nest(some, SLOW + slow, 1000 * slow, depth -> all.set(depth - 1000 * slow + occupy(some, slow - 1, meanwhile)));
        return all.get();
    }

    private static int permits(ConcurrencyLimits<Integer> some) {
        return nest(some, SLOW, 0);
    }

    private static int nest(ConcurrencyLimits<Integer> some, String dependency, int depth) {
        AtomicInteger deepest = new AtomicInteger();
        nest(some, dependency, depth, deepest::set);
        return deepest.get();
    }

    /** Calls in calls until no permit is free, and says there how deep it is. */
    private static void nest(ConcurrencyLimits<Integer> some, String dependency, int depth, IntConsumer deepest) {
        AtomicBoolean served = new AtomicBoolean();
        some.act(dependency, depth, () -> {
            served.set(true);
            nest(some, dependency, depth + 1, deepest);
            return Outcome.progress();
        });
        if (!served.get()) {
            deepest.accept(depth);
        }
    }

    private Controller<String> nested = controller(new CountDownLatch(0));

    private void runAll(List<String> keys) {
        try {
            for (String key : keys) {
                nested.add(key);
                assertThat(nested.runNext()).isTrue();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Controller<String> controller(CountDownLatch answer) {
        return controller(limits, key -> {
            reconciled.incrementAndGet();
            return limits.act(key.startsWith(SLOW) ? SLOW : FAST, key, () -> serve(key, answer));
        });
    }

    private Controller<String> controller(ConcurrencyLimits<String> limited, Function<String, Outcome> reconcile) {
        return new Controller<String>(
                        "test",
                        key -> reconcile.apply(key) instanceof Outcome.Finish(Result result) ? result : Result.done(),
                        queue,
                        new ManualLeadership(),
                        meters)
                .limits(limited);
    }

    private Outcome serve(String key, CountDownLatch answer) {
        try {
            if (key.startsWith(SLOW)) {
                answer.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        synchronized (served) {
            served.add(key);
        }
        return Outcome.progress();
    }

    private boolean isServed(String key) {
        synchronized (served) {
            return served.contains(key);
        }
    }
}
