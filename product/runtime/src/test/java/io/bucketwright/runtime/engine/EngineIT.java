package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
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
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();

        Thread ending = Thread.ofVirtual().start(engine::close);
        Awaitility.await().until(() -> engine.get("/readyz").statusCode() == 503);
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
            assertThat(engine.get("/readyz").statusCode()).isEqualTo(503);
            engine.start();
            assertThat(engine.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(engine.get("/livez").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aLeaseIsNotReleasedWhileWorkIsInFlight(TestCluster cluster) throws IOException, InterruptedException {
        cluster.admin().resource(cluster.configMap("a")).create();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TestEngine engine = TestEngine.open(cluster.user("engine").config(), Duration.ofSeconds(1));
        Leadership leadership = engine.elector(new LeaseName(cluster.namespace(), "role"), "me", TIMING);
        ObjectCache<ConfigMap> maps = engine.caches()
                .of(ConfigMap.class, Scope.namespace(cluster.namespace()).named("a"));
        Reconciler<ObjectKey> hung = key -> {
            begun.countDown();
            // As a call of a store that does not react to an interrupt.
            while (goOn.getCount() > 0) {
                Thread.interrupted();
                LockSupport.parkNanos(10_000_000);
            }
            return Result.done();
        };
        engine.controller("hung", hung, engine.queue("hung"), leadership, 1).watch(maps, Function.identity());
        engine.start();
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        engine.close();
        assertThat(lease(cluster).getHolderIdentity())
                .as("the lease expires instead")
                .isEqualTo("me");
        assertThat(leadership.held()).isFalse();
        // Who can listen at the address of this process takes its lease at once.
        int port = engine.server().port();
        assertThat(isFree(port)).as("the address, while work is in flight").isFalse();
        goOn.countDown();
        Awaitility.await("the address, after the work").until(() -> isFree(port));
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (BindException e) {
            return false;
        }
    }

    @Test
    void aRoleThatCannotStartDoesNotStopTheOthers(TestCluster cluster) throws IOException, InterruptedException {
        Set<String> reconciled = ConcurrentHashMap.newKeySet();
        try (TestEngine engine = TestEngine.open(cluster.user("engine").config())) {
            ObjectCaches broken = engine.caches().ofRole();
            broken.of(NotInstalled.class, Scope.namespace(cluster.namespace()));
            EngineRole missing = engine.engine().role("missing", broken);
            ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            engine.controller(
                            "works",
                            key -> {
                                reconciled.add(key.name());
                                return Result.done();
                            },
                            engine.<ObjectKey>queue("works"),
                            Leadership.always(),
                            1)
                    .watch(maps, Function.identity());
            engine.engine().start();
            cluster.admin().resource(cluster.configMap("a")).create();
            Awaitility.await().until(() -> reconciled.contains("a"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(missing.ready().problem())
                            .contains("notinstalleds.test.bucketwright.io is not listed yet: it does not exist;"
                                    + " install"));
            assertThat(engine.get("/readyz").statusCode()).isEqualTo(503);
            assertThat(engine.get("/livez").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void readinessNamesAMissingPermission(TestCluster cluster) throws InterruptedException {
        try (TestEngine engine =
                TestEngine.open(cluster.user("nobody", List.of()).config())) {
            engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            engine.engine().start();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(engine.role().ready().problem())
                            .isEqualTo("configmaps is not listed yet: forbidden; allow the service account to list and"
                                    + " watch it"));
        }
    }

    /** A kind whose CustomResourceDefinition is not installed. */
    @Group("test.bucketwright.io")
    @Version("v1")
    static final class NotInstalled extends CustomResource<Void, Void> implements Namespaced {}

    private static LeaseSpec lease(TestCluster cluster) {
        return cluster.admin()
                .leases()
                .inNamespace(cluster.namespace())
                .withName("role")
                .get()
                .getSpec();
    }
}
