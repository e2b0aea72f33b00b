package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@OnCluster
class EngineIT {

    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(400));

    @Test
    void shutdownFinishesInFlightWorkThenReleasesTheLease(TestCluster cluster) throws InterruptedException {
        cluster.admin().resource(cluster.configMap("a")).create();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TestEngine engine = TestEngine.open(cluster.user("engine").config());
        Leadership leadership = engine.elector(new LeaseName(cluster.namespace(), "role"), "me", TIMING);
        ObjectCache<ConfigMap> maps = engine.caches()
                .of(ConfigMap.class, Scope.namespace(cluster.namespace()).named("a"));
        ApiWriter writer = engine.writer(leadership);
        Reconciler<ObjectKey> slow = key -> {
            begun.countDown();
            goOn.await();
            ConfigMap map = maps.get(key.namespace(), key.name()).orElseThrow();
            writer.patch(map, JsonPatch.empty().add("/data", Map.of("finished", "yes")));
            return Result.done();
        };
        engine.controller("slow", slow, engine.queue("slow"), leadership, 1).watch(maps, Function.identity());
        engine.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        Thread ending = Thread.ofVirtual().start(engine::close);
        Awaitility.await().until(() -> status(engine.server().port(), "/readyz") == 503);
        assertThat(lease(cluster).getHolderIdentity())
                .as("while work is in flight")
                .isEqualTo("me");
        goOn.countDown();
        ending.join();

        assertThat(cluster.admin()
                        .configMaps()
                        .inNamespace(cluster.namespace())
                        .withName("a")
                        .get()
                        .getData())
                .containsEntry("finished", "yes");
        assertThat(lease(cluster).getHolderIdentity()).isNull();
    }

    @Test
    void isReadyAndAliveOnceItsCachesAreThere(TestCluster cluster) throws IOException, InterruptedException {
        try (TestEngine engine = TestEngine.open(cluster.user("engine").config())) {
            engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            assertThat(status(engine.server().port(), "/readyz")).isEqualTo(503);
            engine.start();
            assertThat(status(engine.server().port(), "/readyz")).isEqualTo(200);
            assertThat(status(engine.server().port(), "/livez")).isEqualTo(200);
        }
    }

    private static LeaseSpec lease(TestCluster cluster) {
        return cluster.admin()
                .leases()
                .inNamespace(cluster.namespace())
                .withName("role")
                .get()
                .getSpec();
    }

    private static int status(int port, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
