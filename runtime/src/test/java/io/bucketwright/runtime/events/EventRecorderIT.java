package io.bucketwright.runtime.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.client.EventSink;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@OnCluster
class EventRecorderIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void aStormIsAHandfulOfWrites(TestCluster cluster) throws InterruptedException {
        ApiUser user = cluster.user("events");
        ConfigMap object = object(cluster, "a");
        try (TestEngine engine = new TestEngine(user.config())) {
            EventRecorder recorder = recorder(engine);
            for (int i = 0; i < 4000; i++) {
                recorder.warning(object, "ProvisioningFailed", "Provision", "The store does not answer");
            }
            for (int i = 0; i < 50; i++) {
                recorder.warning(object, "ProvisioningFailed", "Provision", "Attempt " + i + " failed");
            }
            recorder.drain(LONG);
        }
        assertThat(cluster.requests(user).events()).isEqualTo(EventRateLimit.BURST);
        assertThat(cluster.requests(user).count(request -> request.code() >= 400))
                .isZero();
    }

    @Test
    void aSeriesShowsHowOftenItHappened(TestCluster cluster) {
        try (TestEngine engine = new TestEngine(cluster.user("events").config())) {
            EventSink sink = engine.connection().events(Leadership.always());
            EventFactory factory = new EventFactory("bucketwright.io/test", "pod-1", engine.time());
            EventContent content = EventContent.about(object(cluster, "a"), EventContent.WARNING, "Failed", "Provision", "no");
            Event event = factory.event(content);
            sink.create(event);
            sink.repeat(event, factory.series(42));
            sink.repeat(event, factory.series(43));
            assertThat(events(cluster, cluster.namespace()))
                    .singleElement()
                    .satisfies(it -> assertThat(it.getSeries().getCount()).isEqualTo(43));
        }
    }

    @Test
    void anEventOfAClusterScopedObjectIsInDefaultAndNamesIt(TestCluster cluster) throws InterruptedException {
        Namespace object =
                cluster.admin().namespaces().withName(cluster.namespace()).get();
        try (TestEngine engine = new TestEngine(cluster.user("events").config())) {
            EventRecorder recorder = recorder(engine);
            recorder.normal(object, "Seen", "Look", "A namespace was seen");
            recorder.drain(LONG);
        }
        assertThat(events(cluster, "default"))
                .filteredOn(it ->
                        object.getMetadata().getUid().equals(it.getRegarding().getUid()))
                .singleElement()
                .satisfies(it -> assertThat(it.getNote()).isEqualTo("A namespace was seen"));
    }

    @Test
    void theLongestNameStillGetsItsEvent(TestCluster cluster) throws InterruptedException {
        ConfigMap object = object(cluster, "a".repeat(253));
        try (TestEngine engine = new TestEngine(cluster.user("events").config())) {
            EventRecorder recorder = recorder(engine);
            recorder.normal(object, "Seen", "Look", "x".repeat(5000));
            recorder.drain(LONG);
        }
        assertThat(events(cluster, cluster.namespace())).hasSize(1);
    }

    @Test
    void aMissingNamespaceCostsOneRequestAndHurtsNobody(TestCluster cluster) throws InterruptedException {
        ApiUser user = cluster.user("events");
        ConfigMap object = new ConfigMapBuilder(object(cluster, "a"))
                .editMetadata()
                .withNamespace(cluster.namespace() + "-not-there")
                .endMetadata()
                .build();
        try (TestEngine engine = new TestEngine(user.config())) {
            EventRecorder recorder = recorder(engine);
            recorder.normal(object, "Seen", "Look", "nobody will see this");
            recorder.drain(LONG);
        }
        assertThat(cluster.requests(user).events()).isEqualTo(1);
    }

    private static EventRecorder recorder(TestEngine engine) {
        EventSink sink = engine.connection().events(Leadership.always());
        return new EventRecorder("bucketwright.io/test", "pod-1", sink, engine.time(), engine.meters());
    }

    private static List<Event> events(TestCluster cluster, String namespace) {
        return cluster.admin().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(it -> "bucketwright.io/test".equals(it.getReportingController()))
                .toList();
    }

    private static ConfigMap object(TestCluster cluster, String name) {
        return cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }
}
