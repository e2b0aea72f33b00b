package io.bucketwright.runtime.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.client.EventSink;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@OnCluster
class EventRecorderIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void aSeriesShowsHowOftenItHappened(TestCluster cluster) {
        try (TestEngine engine = TestEngine.open(cluster.user("events").config())) {
            EventSink sink = engine.connection().events(Leadership.always());
            EventFactory factory = new EventFactory("bucketwright.io/test", "pod-1", engine.time());
            EventContent content =
                    EventContent.about(object(cluster, "a"), EventContent.WARNING, "Failed", "Provision", "no");
            Event event = factory.event(content);
            sink.create(event);
            sink.repeat(event, factory.series(42));
            sink.repeat(event, factory.series(43));
            assertThat(events(cluster, cluster.namespace()))
                    .singleElement()
                    .satisfies(it -> assertThat(it.getSeries().getCount()).isEqualTo(43));
        }
    }

    /** Roles of COSI drivers allow nothing else. */
    @Test
    void aRoleForEventsOfTheCoreApiIsEnough(TestCluster cluster) {
        ApiUser user = cluster.user(
                "core-events", List.of(TestCluster.rule("", List.of("events"), "create", "update", "patch")));
        try (TestEngine engine = TestEngine.open(user.config())) {
            EventSink sink = engine.connection().events(Leadership.always());
            EventFactory factory = new EventFactory("bucketwright.io/test", "pod-1", engine.time());
            ConfigMap object = object(cluster, "a");
            Event event = factory.event(EventContent.about(object, EventContent.WARNING, "Failed", "Provision", "no"));
            sink.create(event);
            sink.repeat(event, factory.series(7));
            sink.create(factory.event(EventContent.about(object, EventContent.NORMAL, "Bound", "Provision", "yes")));
        }
        assertThat(events(cluster, cluster.namespace()))
                .extracting(Event::getReason, Event::getNote)
                .containsExactlyInAnyOrder(tuple("Failed", "no"), tuple("Bound", "yes"));
        assertThat(cluster.requests(user).count(request -> request.code() == 403))
                .as("the other API is tried once")
                .isEqualTo(1);
    }

    @Test
    void anEventOfAClusterScopedObjectIsInDefaultAndNamesIt(TestCluster cluster) throws InterruptedException {
        Namespace object =
                cluster.admin().namespaces().withName(cluster.namespace()).get();
        record(cluster.user("events"), recorder -> recorder.normal(object, "Seen", "Look", "A namespace was seen"));
        assertThat(events(cluster, "default"))
                .filteredOn(it ->
                        object.getMetadata().getUid().equals(it.getRegarding().getUid()))
                .singleElement()
                .satisfies(it -> assertThat(it.getNote()).isEqualTo("A namespace was seen"));
    }

    @Test
    void anObjectWithTheLongestNameHasEvents(TestCluster cluster) throws InterruptedException {
        ConfigMap object = object(cluster, "a".repeat(253));
        record(cluster.user("events"), recorder -> recorder.normal(object, "Seen", "Look", "x".repeat(5000)));
        assertThat(events(cluster, cluster.namespace())).hasSize(1);
    }

    @Test
    void anEventInAMissingNamespaceIsDroppedAfterOneRequest(TestCluster cluster) throws InterruptedException {
        ApiUser user = cluster.user("events");
        ConfigMap object = object(cluster, "a");
        object.getMetadata().setNamespace(cluster.namespace() + "-not-there");
        record(user, recorder -> recorder.normal(object, "Seen", "Look", "dropped"));
        assertThat(cluster.requests(user).events()).isEqualTo(1);
    }

    private static void record(ApiUser user, Consumer<EventRecorder> work) throws InterruptedException {
        try (TestEngine engine = TestEngine.open(user.config())) {
            EventSink sink = engine.connection().events(Leadership.always());
            EventRecorder recorder =
                    new EventRecorder("bucketwright.io/test", "pod-1", sink, engine.time(), engine.meters());
            work.accept(recorder);
            recorder.drain(LONG);
        }
    }

    private static List<Event> events(TestCluster cluster, String namespace) {
        return cluster.admin().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(it -> "bucketwright.io/test".equals(it.getReportingController()))
                .toList();
    }

    private static ConfigMap object(TestCluster cluster, String name) {
        return cluster.admin().resource(cluster.configMap(name)).create();
    }
}
