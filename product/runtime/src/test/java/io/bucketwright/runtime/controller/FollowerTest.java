package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ServiceConfigurationError;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a controller does while another process leads, when it begins to lead, and when its reconciler breaks. */
class FollowerTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WorkQueue<ObjectKey> queue = new WorkQueue<>("test", time, Backoff.standard(), new Random(1), meters);
    private final ManualLeadership leadership = new ManualLeadership();
    private final FakeSource source = new FakeSource();
    private final FakeSource related = new FakeSource();
    private final List<String> reconciled = new ArrayList<>();
    private final InFlightState<ObjectKey, String> state =
            new InFlightState<>(leadership, "", Backoff.standard(), time, new Random(1));
    private final Controller<ObjectKey> controller = new Controller<>(
                    "test",
                    key -> {
                        reconciled.add(key.name());
                        return Result.done();
                    },
                    queue,
                    leadership,
                    meters)
            .inFlight(state)
            .watch(source, Function.identity())
            .watchRelated(related, object -> List.of(new ObjectKey("ns", "owner-of-" + name(object), "u")));

    @Test
    void theQueueOfAFollowerDoesNotGrow() throws InterruptedException {
        leadership.lose();
        for (int i = 0; i < 100_000; i++) {
            ConfigMap object = FakeSource.object("a" + i, "u" + i);
            source.change(object);
            source.delete(object);
        }
        assertThat(queue.depth()).isZero();
        source.change(FakeSource.object("present", "u"));
        related.change(FakeSource.object("r", "u"));
        leadership.gain();
        runAll();
        assertThat(reconciled).containsExactlyInAnyOrder("present", "owner-of-r");
    }

    @Test
    void anObjectWithoutAKeyHidesNoOtherWhenLeadershipIsGained() throws InterruptedException {
        FakeSource broken = new FakeSource();
        controller.watchRelated(broken, object -> {
            if (name(object).equals("broken")) {
                throw new IllegalStateException("no name");
            }
            return List.of(new ObjectKey("ns", "owner-of-" + name(object), "u"));
        });
        leadership.lose();
        Stream.of("a", "broken", "b").map(name -> FakeSource.object(name, "u")).forEach(broken::change);
        source.change(FakeSource.object("present", "u"));
        leadership.gain();
        runAll();
        assertThat(reconciled).containsExactlyInAnyOrder("present", "owner-of-a", "owner-of-b");
    }

    @Test
    void whatIsKnownAboutADeletedObjectIsForgottenWhenLeadershipIsGained() throws InterruptedException {
        ConfigMap object = FakeSource.object("a", "u");
        source.change(object);
        state.update(ObjectKey.of(object), _ -> "failed once");
        leadership.lose();
        source.delete(object);
        leadership.gainAfterAnotherLeader();
        runAll();
        assertThat(state.size()).isZero();
    }

    static Stream<Throwable> errors() {
        return Stream.of(
                new IllegalStateException("a defect"),
                new AssertionError("a defect"),
                new ServiceConfigurationError("a broken jar"),
                new IOError(new IOException("a broken disk")),
                new NoClassDefFoundError("a missing jar"),
                new OutOfMemoryError("too small"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void noErrorEndsAWorkerOrLosesAKey(Throwable error) throws InterruptedException {
        FakeSource objects = new FakeSource();
        List<String> seen = new ArrayList<>();
        Controller<ObjectKey> breaking = new Controller<>(
                        "test",
                        key -> {
                            synchronized (seen) {
                                seen.add(key.name());
                                if (seen.size() == 1) {
                                    FollowerTest.<RuntimeException>sneak(error);
                                }
                            }
                            return Result.done();
                        },
                        queue,
                        leadership,
                        meters)
                .watch(objects, Function.identity());
        breaking.start();
        try {
            objects.change(FakeSource.object("a", "u1"));
            Awaitility.await().atMost(LONG).until(() -> queue.failing() == 1 && queue.inWork() == 0);
            assertThat(breaking.deadWorkers()).isZero();
            assertThat(meters.get("bucketwright.reconciles")
                            .tag("result", "threw")
                            .counter()
                            .count())
                    .isEqualTo(1);
            time.advance(Duration.ofSeconds(1));
            objects.change(FakeSource.object("b", "u2"));
            Awaitility.await().atMost(LONG).until(() -> queue.failing() == 0 && queue.inWork() == 0);
            synchronized (seen) {
                assertThat(seen).containsExactlyInAnyOrder("a", "a", "b");
            }
        } finally {
            breaking.stop(LONG);
        }
    }

    @Test
    void deadWorkersAreCountedUntilTheControllerStops() {
        controller.workers(3).start(_ -> Thread.ofVirtual().unstarted(() -> {}));
        Awaitility.await().atMost(LONG).until(() -> controller.deadWorkers() == 3);
        controller.stopAccepting();
        assertThat(controller.deadWorkers()).isZero();
    }

    private void runAll() throws InterruptedException {
        while (controller.runNext()) {
            assertThat(reconciled).hasSizeLessThan(100);
        }
    }

    private static String name(ConfigMap object) {
        return object.getMetadata().getName();
    }

    @SuppressWarnings("unchecked") // throws errors and exceptions alike
    private static <T extends Throwable> void sneak(Throwable error) throws T {
        throw (T) error;
    }
}
