package io.bucketwright.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random interleavings of everything that can happen to a queue, against a model of what it promises. */
class WorkQueueModelTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    enum Verb {
        ADD,
        ADD_AFTER,
        TAKE,
        SUCCEED,
        FAIL,
        FORGET,
        WAIT
    }

    record Action(Verb verb, String key, Duration duration) {}

    @Provide
    Arbitrary<List<Action>> actions() {
        Arbitrary<String> keys = Arbitraries.of("a", "b", "c");
        Arbitrary<Duration> durations = Arbitraries.integers().between(0, 20).map(Duration::ofSeconds);
        return Combinators.combine(Arbitraries.of(Verb.class), keys, durations)
                .as(Action::new)
                .list()
                .ofMaxSize(200);
    }

    @Property(tries = 2000)
    void noKeyIsGivenToTwoWorkersAndNoneIsLost(@ForAll("actions") List<Action> actions) {
        World world = new World();
        actions.forEach(world::apply);
        world.finish();
    }

    private static final class World {

        private final ManualTime time = new ManualTime();
        private final WorkQueue<String> queue =
                new WorkQueue<>("model", time, BACKOFF, new Random(3), new SimpleMeterRegistry());
        private final Set<String> inWork = new HashSet<>();
        /** Keys something was asked for since they were last taken, with the latest moment they may become ready. */
        private final Map<String, Long> owed = new HashMap<>();

        void apply(Action action) {
            String key = action.key();
            switch (action.verb()) {
                case ADD -> {
                    queue.add(key);
                    owe(key, Duration.ZERO);
                }
                case ADD_AFTER -> {
                    queue.addAfter(key, action.duration());
                    owe(key, action.duration());
                }
                case TAKE -> take();
                case SUCCEED -> {
                    if (inWork.remove(key)) {
                        queue.forget(key);
                        queue.done(key);
                    }
                }
                case FAIL -> {
                    if (inWork.remove(key)) {
                        owe(key, queue.retry(key));
                        queue.done(key);
                    }
                }
                case FORGET -> queue.forget(key);
                case WAIT -> time.advance(action.duration());
            }
            everyDueKeyCanBeTakenOrIsInWork();
        }

        void finish() {
            Set.copyOf(inWork).forEach(key -> {
                inWork.remove(key);
                queue.done(key);
            });
            time.advance(BACKOFF.cap().multipliedBy(2));
            while (take()) {
                Set.copyOf(inWork).forEach(key -> {
                    inWork.remove(key);
                    queue.done(key);
                });
            }
            assertThat(owed).as("keys that were added and never ready").isEmpty();
            assertThat(queue.inWork()).isZero();
            assertThat(time.alarms()).as("timers left behind").isZero();
        }

        private boolean take() {
            Optional<String> key = queue.poll();
            key.ifPresent(taken -> {
                assertThat(inWork.add(taken))
                        .as("%s given to two workers", taken)
                        .isTrue();
                assertThat(owed).as("a key that nobody added").containsKey(taken);
                owed.remove(taken);
            });
            return key.isPresent();
        }

        private void owe(String key, Duration within) {
            owed.merge(key, time.nanos() + within.toNanos(), Math::min);
        }

        private void everyDueKeyCanBeTakenOrIsInWork() {
            long due = owed.entrySet().stream()
                    .filter(entry -> entry.getValue() <= time.nanos())
                    .filter(entry -> !inWork.contains(entry.getKey()))
                    .count();
            assertThat((long) queue.depth()).as("keys that are ready").isEqualTo(due);
        }
    }
}
