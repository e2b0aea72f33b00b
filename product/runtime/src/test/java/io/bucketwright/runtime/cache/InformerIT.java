package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.server.Component;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.testing.SmallClusters;
import io.bucketwright.testing.SocketProxy;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A cache survives the loss of its server, its connection and the history of its watch. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InformerIT {

    // Without the watch cache an old version is answered from etcd, where a compaction has removed it.
    private final LocalCluster cluster = SmallClusters.builder(List.of())
            .apiServerFlag("--watch-cache=false")
            .start();
    private final Config config = config();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(config).build();
    private final List<String> reported = new CopyOnWriteArrayList<>();

    @BeforeEach
    @AfterEach
    void clean() {
        admin.configMaps().inNamespace("default").withLabel("test", "informer").delete();
        reported.clear();
    }

    @AfterAll
    void end() {
        admin.close();
        cluster.close();
    }

    @Test
    void survivesARestartOfTheApiServer() throws InterruptedException {
        try (TestEngine engine = TestEngine.open(config)) {
            ObjectCache<ConfigMap> maps = watched(engine);
            engine.start();
            create("before");
            awaitNames(maps, "before");
            for (int round = 0; round < 2; round++) {
                cluster.stop(Component.KUBE_APISERVER);
                cluster.start(Component.KUBE_APISERVER);
                create("after-" + round);
            }
            awaitNames(maps, "before", "after-0", "after-1");
            admin.configMaps().inNamespace("default").withName("before").delete();
            awaitNames(maps, "after-0", "after-1");
            assertThat(engine.caches().ended()).isEmpty();
        }
    }

    @Test
    void startsWhileTheApiServerIsUnavailableAndIsReadyOnceItResponds() throws InterruptedException {
        create("there");
        cluster.stop(Component.KUBE_APISERVER);
        try (TestEngine engine = TestEngine.open(config)) {
            ObjectCache<ConfigMap> maps = watched(engine);
            engine.engine().start();
            assertThat(engine.caches().missing()).containsExactly("configmaps");
            cluster.start(Component.KUBE_APISERVER);
            engine.engine().awaitReady();
            assertThat(engine.caches().missing()).isEmpty();
            awaitNames(maps, "there");
        }
    }

    @Test
    void listsAgainWhenItsVersionWasCompacted() throws IOException, InterruptedException {
        try (SocketProxy proxy = new SocketProxy(cluster.port(Component.KUBE_APISERVER));
                TestEngine engine = TestEngine.open(through(proxy))) {
            ObjectCache<ConfigMap> maps = watched(engine);
            engine.start();
            create("kept");
            create("deleted");
            ConfigMap first = create("replaced");
            awaitNames(maps, "kept", "deleted", "replaced");
            reported.clear();

            proxy.disconnect();
            admin.configMaps().inNamespace("default").withName("deleted").delete();
            admin.configMaps().inNamespace("default").withName("replaced").delete();
            ConfigMap second = create("replaced");
            create("new");
            compact();
            proxy.restore();

            awaitNames(maps, "kept", "replaced", "new");
            assertThat(maps.get("default", "replaced")
                            .orElseThrow()
                            .getMetadata()
                            .getUid())
                    .isEqualTo(second.getMetadata().getUid());
            Awaitility.await()
                    .untilAsserted(() -> assertThat(reported)
                            .contains("deleted deleted", "changed new")
                            .containsSubsequence(
                                    "deleted replaced " + first.getMetadata().getUid(),
                                    "changed replaced " + second.getMetadata().getUid()));
            assertThat(reported).as("objects that did not change").doesNotContain("changed kept");
            assertThat(relists(engine)).as("lists after the first").isPositive();
        }
    }

    @Test
    void resumesWithoutAListWhenOnlyTheConnectionBroke() throws InterruptedException {
        try (SocketProxy proxy = new SocketProxy(cluster.port(Component.KUBE_APISERVER));
                TestEngine engine = TestEngine.open(through(proxy))) {
            ObjectCache<ConfigMap> maps = watched(engine);
            engine.start();
            create("before");
            awaitNames(maps, "before");
            proxy.disconnect();
            create("meanwhile");
            proxy.restore();
            awaitNames(maps, "before", "meanwhile");
            assertThat(relists(engine)).isZero();
        }
    }

    @Test
    void cachesOfTheSameKindAndScopeShareOneInformer() throws InterruptedException {
        try (TestEngine engine = TestEngine.open(config)) {
            ObjectCache<ConfigMap> one = engine.caches().of(ConfigMap.class, scope());
            ObjectCache<ConfigMap> two = engine.caches().of(ConfigMap.class, scope());
            assertThat(one).isSameAs(two);
            ObjectCache<ConfigMap> trimmed = engine.caches().of(ConfigMap.class, scope(), map -> {
                map.setData(Map.of());
                return map;
            });
            assertThat(trimmed).as("another trim leaves other fields").isNotSameAs(one);
            Index<ConfigMap> byValue =
                    one.indexBy(map -> List.copyOf(map.getData().values()));
            engine.start();
            create("a");
            Awaitility.await().until(() -> byValue.get("1").size() == 1);
            assertThat(byValue.get("2")).isEmpty();
            Awaitility.await().until(() -> trimmed.get("default", "a").isPresent());
            assertThat(trimmed.get("default", "a").orElseThrow().getData()).isEmpty();
            assertThat(relists(engine))
                    .as("lists after the first: that of the other trim")
                    .isEqualTo(1);
        }
    }

    private ObjectCache<ConfigMap> watched(TestEngine engine) {
        ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, scope());
        maps.listen(new CacheListener<>() {
            @Override
            public void changed(ConfigMap before, ConfigMap after) {
                report("changed", after);
            }

            @Override
            public void deleted(ConfigMap last) {
                report("deleted", last);
            }
        });
        return maps;
    }

    private void report(String event, ConfigMap map) {
        reported.add(event + " " + map.getMetadata().getName());
        reported.add(event + " " + map.getMetadata().getName() + " "
                + map.getMetadata().getUid());
    }

    private static Scope scope() {
        return Scope.namespace("default").labelled("test", "informer");
    }

    private static double relists(TestEngine engine) {
        return engine.meters()
                        .get("bucketwright.api.requests")
                        .tags("verb", "list", "resource", "configmaps", "code", "200")
                        .counter()
                        .count()
                - 1;
    }

    private void awaitNames(ObjectCache<ConfigMap> maps, String... names) {
        Awaitility.await().untilAsserted(() -> assertThat(names(maps)).containsExactlyInAnyOrder(names));
    }

    private static Set<String> names(ObjectCache<ConfigMap> maps) {
        return maps.list().stream().map(map -> map.getMetadata().getName()).collect(Collectors.toSet());
    }

    private ConfigMap create(String name) {
        return admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .addToLabels("test", "informer")
                        .endMetadata()
                        .addToData("n", "1")
                        .build())
                .create();
    }

    /** Removes all history from etcd. */
    private void compact() throws IOException, InterruptedException {
        String status = etcd("maintenance/status", "{}");
        Matcher revision = Pattern.compile("\"revision\":\"(\\d+)\"").matcher(status);
        assertThat(revision.find()).as(status).isTrue();
        etcd("kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
    }

    private String etcd(String call, String body) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + cluster.port(Component.ETCD) + "/v3/" + call);
        try (HttpClient http = HttpClient.newBuilder()
                .proxy(HttpClient.Builder.NO_PROXY)
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(uri)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }

    private Config config() {
        try {
            Config read = Config.fromKubeconfig(Files.readString(cluster.kubeconfig()));
            // So that each failure reaches the informer, as it would in an outage longer than fabric8's own patience.
            read.setRequestRetryBackoffLimit(0);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Config through(SocketProxy proxy) {
        return new ConfigBuilder(config)
                .withAutoConfigure(false)
                .withMasterUrl("https://127.0.0.1:" + proxy.port())
                .build();
    }
}
