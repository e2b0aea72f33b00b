package io.bucketwright.runtime.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.EventSink;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventRecorderTest {

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Sink sink = new Sink();
    private final EventRecorder recorder = new EventRecorder("bucketwright.io/test", "pod-1", sink, time, meters);
    private final ConfigMap object = object("a");

    @AfterEach
    void close() {
        recorder.close();
    }

    @Test
    void oneSuccessIsOneWrite() throws InterruptedException {
        recorder.normal(object, "Bound", "Provision", "Bucket is ready");
        drain();
        assertThat(sink.created).singleElement().satisfies(event -> {
            assertThat(event.getMetadata().getNamespace()).isEqualTo("ns");
            assertThat(event.getRegarding().getUid()).isEqualTo("uid-a");
            assertThat(event.getType()).isEqualTo("Normal");
            assertThat(event.getReportingController()).isEqualTo("bucketwright.io/test");
        });
        assertThat(sink.repeated).isEmpty();
    }

    @Test
    void anErrorDoesNotEndTheWriter() throws InterruptedException {
        sink.failOnce(new NoClassDefFoundError("io/example/Missing"));
        recorder.normal(object, "Bound", "Provision", "first");
        recorder.normal(object, "Released", "Release", "second");
        settle();
        assertThat(recorder.isAlive()).isTrue();
        assertThat(sink.created).extracting(Event::getReason).containsExactly("Released");
        assertThat(meters.get("bucketwright.events.dropped")
                        .tag("reason", "broken")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void anEventOfAClusterScopedObjectIsInDefault() throws InterruptedException {
        HasMetadata volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv")
                .withUid("u")
                .endMetadata()
                .build();
        recorder.warning(volume, "Failed", "Release", "no");
        drain();
        assertThat(sink.created).singleElement().satisfies(event -> {
            assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
            assertThat(event.getRegarding().getNamespace()).isNull();
        });
    }

    @Test
    void manyRepetitionsOfOneEventAreFewWritesWithTheRightCount() throws InterruptedException {
        for (int minute = 0; minute < 60; minute++) {
            for (int i = 0; i < 1000; i++) {
                recorder.warning(object, "Failed", "Provision", "The store is down");
            }
            settle();
            time.advance(Duration.ofMinutes(1));
            settle();
        }
        time.advance(Series.LONGEST_PAUSE);
        drain();
        assertThat(sink.created).hasSize(1);
        assertThat(sink.repeated).hasSizeBetween(2, 20);
        assertThat(sink.repeated.getLast()).isEqualTo(60_000);
        assertThat(sink.names).containsExactly(name(sink.created.getFirst()));
        assertThat(dropped()).isZero();
    }

    @Test
    void manyDifferentEventsOfOneObjectAreLimitedAndCounted() throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            recorder.warning(object, "Failed", "Provision", "Attempt " + i + " failed");
        }
        bound(object("b"));
        drain();
        assertThat(sink.created).hasSize(EventRateLimit.BURST + 1);
        assertThat(dropped()).isEqualTo(1000 - EventRateLimit.BURST);
    }

    @Test
    void anEventInATerminatingNamespaceIsNotRetried() throws InterruptedException {
        sink.fail(new ApiException(new ApiError.Terminating("the namespace is being terminated")));
        bound(object);
        settle();
        time.advance(Duration.ofHours(1));
        drain();
        assertThat(sink.attempts).hasValue(1);
        assertThat(dropped()).isEqualTo(1);
    }

    @Test
    void anEventIsRetriedThreeTimesDuringAnOutage() throws InterruptedException {
        sink.fail(new ApiException(new ApiError.Unavailable("no answer")));
        bound(object);
        for (int i = 0; i < 10; i++) {
            settle();
            time.advance(Duration.ofMinutes(1));
        }
        drain();
        assertThat(sink.attempts).hasValue(3);
        assertThat(dropped()).isEqualTo(1);
    }

    @Test
    void aFullQueueDropsInsteadOfBlocking() {
        CountDownLatch stuck = sink.block();
        for (int i = 0; i < 10_000; i++) {
            bound(object("o" + i));
        }
        assertThat(dropped()).isGreaterThan(5000);
        stuck.countDown();
    }

    @Test
    void aDefectiveSinkDoesNotEndTheRecorder() throws InterruptedException {
        sink.fail(new IllegalStateException("a defect"));
        bound(object);
        settle();
        sink.beforeEach = () -> {};
        bound(object("b"));
        drain();
        assertThat(sink.created).hasSize(1);
    }

    @Test
    void longNotesAreCutWhereTheApiServerWouldRefuse() throws InterruptedException {
        recorder.normal(object, "Bound", "Provision", "ü".repeat(3000));
        drain();
        assertThat(sink.created.getFirst().getNote()).hasSizeBetween(500, 512);
    }

    private void bound(ConfigMap about) {
        recorder.normal(about, "Bound", "Provision", "ok");
    }

    private void drain() throws InterruptedException {
        recorder.drain(Duration.ofSeconds(30));
    }

    /** Waits until all that was recorded before has been dealt with: a last event of another object comes through. */
    private void settle() throws InterruptedException {
        sink.awaitHandled(recorder);
    }

    private double dropped() {
        return meters.find("bucketwright.events.dropped").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static ConfigMap object(String name) {
        return TestObjects.configMap(name, "uid-" + name, "1");
    }

    private static String name(Event event) {
        return event.getMetadata().getNamespace() + "/" + event.getMetadata().getName();
    }

    private static final class Sink implements EventSink {

        private final List<Event> created = new CopyOnWriteArrayList<>();
        private final List<Integer> repeated = new CopyOnWriteArrayList<>();
        /** Namespaces and names of the events that were repeated. */
        private final Set<String> names = ConcurrentHashMap.newKeySet();

        private final AtomicInteger attempts = new AtomicInteger();
        private volatile Runnable beforeEach = () -> {};
        private int markers;
        private volatile CountDownLatch marker = new CountDownLatch(1);

        void failOnce(Error problem) {
            AtomicInteger calls = new AtomicInteger();
            beforeEach = () -> {
                if (calls.getAndIncrement() == 0) {
                    throw problem;
                }
            };
        }

        void fail(RuntimeException problem) {
            beforeEach = () -> {
                throw problem;
            };
        }

        CountDownLatch block() {
            CountDownLatch latch = new CountDownLatch(1);
            beforeEach = () -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            return latch;
        }

        void awaitHandled(EventRecorder recorder) throws InterruptedException {
            marker = new CountDownLatch(1);
            recorder.normal(object("marker-" + ++markers), "Marker", "Mark", "m");
            marker.await();
        }

        @Override
        public void create(Event event) {
            if (event.getReason().equals("Marker")) {
                marker.countDown();
                return;
            }
            attempts.incrementAndGet();
            beforeEach.run();
            created.add(event);
        }

        @Override
        public void repeat(Event event, EventSeries series) {
            beforeEach.run();
            repeated.add(series.getCount());
            names.add(name(event));
        }
    }
}
