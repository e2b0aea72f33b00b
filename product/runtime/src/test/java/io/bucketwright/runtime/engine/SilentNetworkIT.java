package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.server.Component;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The network towards the API server swallows bytes without closing connections. With the timing of production, which a test
 * of {@link Keepalive} checks, all of this takes five times as long.
 */
@OnCluster
class SilentNetworkIT {

    private static final LeaseTiming LEASE =
            new LeaseTiming(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500));
    private static final Keepalive KEEPALIVE = new Keepalive(Duration.ofSeconds(1), Duration.ofSeconds(4));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger bothLed = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();

    @AfterEach
    void end() {
        ended.set(true);
    }

    @Test
    void allConnectionsAreSwallowed(TestCluster cluster) throws Exception {
        try (SocketProxy requests = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER));
                SocketProxy watches = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER))) {
            leaderLosesTheNetwork(cluster, requests, watches, true);
        }
    }

    @Test
    void onlyTheWatchesAreSwallowed(TestCluster cluster) throws Exception {
        try (SocketProxy requests = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER));
                SocketProxy watches = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER))) {
            leaderLosesTheNetwork(cluster, requests, watches, false);
        }
    }

    @Test
    void oneWatchThatIsSwallowedIsConnectedAgain(TestCluster cluster) throws Exception {
        try (SocketProxy watches = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER));
                TestEngine engine = TestEngine.open(
                        cluster.user("engine").config(), Duration.ofSeconds(5), KEEPALIVE, watchesThrough(watches))) {
            ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            engine.start();
            watches.swallow();
            watches.restore();
            cluster.admin().resource(cluster.configMap("a")).create();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> maps.get(cluster.namespace(), "a").isPresent());
            assertThat(engine.get("/readyz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aListThatStopsInTheMiddleIsRepeated(TestCluster cluster) throws Exception {
        cluster.admin().resource(cluster.configMap("a")).create();
        try (SocketProxy requests = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER));
                TestEngine engine = TestEngine.open(
                        through(requests, cluster.user("engine").config()),
                        Duration.ofSeconds(5),
                        KEEPALIVE,
                        UnaryOperator.identity())) {
            ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, Scope.everything());
            // After the certificates, in the middle of the response.
            requests.swallowResponsesAfter(6000);
            engine.engine().start();
            Awaitility.await().atMost(PATIENCE).until(() -> requests.swallowed() > 0);
            requests.restore();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> maps.get(cluster.namespace(), "a").isPresent());
        }
    }

    @SuppressWarnings("try") // the second is closed earlier than the first
    private void leaderLosesTheNetwork(TestCluster cluster, SocketProxy requests, SocketProxy watches, boolean all)
            throws Exception {
        Config config = cluster.user("engine").config();
        try (TestEngine first =
                TestEngine.open(through(requests, config), Duration.ofSeconds(5), KEEPALIVE, watchesThrough(watches))) {
            Leadership firstLeads = work(cluster, first, "first");
            first.start();
            Awaitility.await().atMost(PATIENCE).until(firstLeads::held);
            try (TestEngine second = TestEngine.open(config)) {
                Leadership secondLeads = work(cluster, second, "second");
                second.start();
                watchForTwoLeaders(firstLeads, secondLeads);
                assertHandled(cluster, "before", "first");

                watches.swallow();
                if (all) {
                    requests.swallow();
                }
                // By the standby, although the process that led has not noticed anything from the network.
                assertHandled(cluster, "meanwhile", "second");
                assertReportsTheOutage(first, all);
                requests.restore();
                watches.restore();
            }
            assertHandled(cluster, "after", "first");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(first.get("/readyz").statusCode()).isEqualTo(200));
            assertThat(bothLed).hasValue(0);
        }
    }

    private static void assertReportsTheOutage(TestEngine engine, boolean all)
            throws IOException, InterruptedException {
        String expected = all ? "no response from https://127.0.0.1" : "configmaps is not up to date: no response";
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            HttpResponse<String> ready = engine.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains(expected);
        });
        assertThat(engine.get("/livez").statusCode())
                .as("a restart would not help yet")
                .isEqualTo(200);
    }

    /** Writes its identity into each ConfigMap that has none. */
    private static Leadership work(TestCluster cluster, TestEngine engine, String identity) {
        Leadership leadership = engine.elector(new LeaseName(cluster.namespace(), "role"), identity, LEASE);
        ObjectCache<ConfigMap> maps = engine.caches()
                .of(ConfigMap.class, Scope.namespace(cluster.namespace()).labelled("test", "silent"));
        ApiWriter writer = engine.writer(leadership);
        Reconciler<ObjectKey> reconciler = key -> {
            maps.get(key.namespace(), key.name())
                    .filter(map -> map.getData() == null || !map.getData().containsKey("by"))
                    .ifPresent(map -> writer.patch(map, JsonPatch.empty().add("/data", Map.of("by", identity))));
            return Result.done();
        };
        engine.controller("writer", reconciler, engine.queue("writer"), leadership, 2)
                .watch(maps, key -> key);
        return leadership;
    }

    private static void assertHandled(TestCluster cluster, String name, String by) {
        ConfigMap made = cluster.configMap(name);
        made.getMetadata().setLabels(Map.of("test", "silent"));
        cluster.admin().resource(made).create();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.admin()
                                .configMaps()
                                .inNamespace(cluster.namespace())
                                .withName(name)
                                .get()
                                .getData())
                        .isNotNull()
                        .containsEntry("by", by));
    }

    private void watchForTwoLeaders(Leadership one, Leadership other) {
        Thread.ofVirtual().start(() -> {
            while (!ended.get()) {
                if (one.held() && other.held()) {
                    bothLed.incrementAndGet();
                }
                LockSupport.parkNanos(2_000_000);
            }
        });
    }

    private static Config through(SocketProxy proxy, Config config) {
        return new ConfigBuilder(config)
                .withAutoConfigure(false)
                .withMasterUrl("https://127.0.0.1:" + proxy.port())
                .build();
    }

    /** Sends watches through a proxy of their own. */
    private static UnaryOperator<HttpClient.Factory> watchesThrough(SocketProxy proxy) {
        Interceptor redirect = new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                String address = request.uri().toString();
                if (address.contains("watch=true")) {
                    builder.uri(URI.create(address.replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + proxy.port())));
                }
            }
        };
        return factory -> new HttpClient.Factory() {
            @Override
            public HttpClient.Builder newBuilder(Config config) {
                return factory.newBuilder(config).addOrReplaceInterceptor("WATCHES", redirect);
            }

            @Override
            public HttpClient.Builder newBuilder() {
                return factory.newBuilder().addOrReplaceInterceptor("WATCHES", redirect);
            }
        };
    }
}
