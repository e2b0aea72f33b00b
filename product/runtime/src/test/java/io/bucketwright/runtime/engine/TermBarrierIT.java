package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a new term costs with a real API server, and that it begins with current caches. */
@OnCluster
class TermBarrierIT {

    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(400));

    @Test
    void aProcessThatGetsTheLeaseAtItsStartRequestsNothingMore(TestCluster cluster) {
        ApiUser user = cluster.user("first");
        try (TestEngine engine = TestEngine.open(user.config())) {
            Leadership leadership = engine.elector(new LeaseName(cluster.namespace(), "role"), "me", TIMING);
            caches(engine, cluster);
            engine.engine().start();
            Awaitility.await().until(leadership::held);
            assertThat(cluster.requests(user).of("list", "configmaps")).isOne();
            assertThat(cluster.requests(user).of("list", "namespaces")).isOne();
            assertThat(cluster.requests(user).of("list", "secrets")).isOne();
        }
    }

    @Test
    void aStandbyReadsOneVersionOfEachKindAndLeadsWithinSeconds(TestCluster cluster) throws InterruptedException {
        ApiUser user = cluster.user("standby");
        List<String> seen = new CopyOnWriteArrayList<>();
        LeaseName lease = new LeaseName(cluster.namespace(), "role");
        try (TestEngine leader = TestEngine.open(cluster.user("leader").config());
                TestEngine standby = TestEngine.open(user.config())) {
            Leadership former = leader.elector(lease, "leader", TIMING);
            caches(leader, cluster);
            leader.start();
            Awaitility.await().until(former::held);
            Leadership next = standby.elector(lease, "standby", TIMING);
            ObjectCache<ConfigMap> maps = caches(standby, cluster);
            standby.controller(
                            "reports",
                            key -> {
                                seen.add(maps.list().stream()
                                                .filter(map -> map.getMetadata()
                                                        .getName()
                                                        .startsWith("written-"))
                                                .count()
                                        + " at " + key.name());
                                return Result.done();
                            },
                            standby.<ObjectKey>queue("reports"),
                            next,
                            1)
                    .watch(maps, Function.identity());
            standby.start();
            assertThat(next.held()).isFalse();
            for (int i = 0; i < 20; i++) {
                leader.writer(former).create(cluster.configMap("written-" + i));
            }
            long begin = System.nanoTime();
            leader.engine().close();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !seen.isEmpty());
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(seen.getFirst()).startsWith("20 at");
            assertThat(took).isLessThan(Duration.ofSeconds(5));
            assertThat(cluster.requests(user).of("list", "configmaps")).isEqualTo(2);
            assertThat(cluster.requests(user).of("list", "namespaces")).isEqualTo(2);
            assertThat(cluster.requests(user).of("list", "secrets"))
                    .as("an idle kind: one list, one version")
                    .isEqualTo(2);
        }
    }

    @Test
    void aRoleWhoseKindsAreMissingGivesTheLeaseBack(TestCluster cluster) {
        LeaseName lease = new LeaseName(cluster.namespace(), "role");
        try (CapturedLog log = new CapturedLog();
                TestEngine broken = TestEngine.open(cluster.user("broken").config());
                TestEngine working = TestEngine.open(cluster.user("working").config())) {
            Leadership useless = broken.elector(lease, "broken", TIMING);
            broken.caches().of(NotInstalled.class, Scope.namespace(cluster.namespace()));
            broken.engine().start();
            Awaitility.await().until(() -> log.text().contains("Leading " + cluster.namespace() + "/role"));
            Leadership leads = working.elector(lease, "working", TIMING);
            caches(working, cluster);
            working.engine().start();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(leads::held);
            assertThat(useless.held()).isFalse();
            assertThat(log.text()).contains("the caches of this process are not synced after 3 s");
        }
    }

    private static ObjectCache<ConfigMap> caches(TestEngine engine, TestCluster cluster) {
        engine.caches().of(Namespace.class, Scope.everything().named("kube-system"));
        engine.caches().of(Secret.class, Scope.everything().labelled("bucketwright.io/nothing", "has-it"));
        return engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
    }

    /** A kind whose CustomResourceDefinition is not installed. */
    @Group("test.bucketwright.io")
    @Version("v1")
    static final class NotInstalled extends CustomResource<Void, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }
}
