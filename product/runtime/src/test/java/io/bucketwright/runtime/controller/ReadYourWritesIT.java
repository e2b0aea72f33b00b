package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@OnCluster
class ReadYourWritesIT {

    private static final int OBJECTS = 200;

    /** All that is known of one parent. */
    private record Observed(Optional<ConfigMap> parent, Optional<Secret> child) {}

    /** What can be done about it. */
    private sealed interface Step {
        record Label(ConfigMap parent) implements Step {}

        record MakeChild(ConfigMap parent) implements Step {}

        record Finish(ConfigMap parent, Secret child) implements Step {}
    }

    /** Three writes for each object, each decided from the caches alone. */
    private record Loop(ObjectCache<ConfigMap> parents, ObjectCache<Secret> children, ApiWriter writer) {

        Observed observe(ObjectKey key) {
            return new Observed(
                    parents.get(key.namespace(), key.name()).filter(key::names),
                    children.get(key.namespace(), key.name() + "-child"));
        }

        Decision<Step> decide(Observed observed) {
            if (observed.parent().isEmpty()) {
                return Decision.done();
            }
            ConfigMap parent = observed.parent().get();
            Map<String, String> data = parent.getData() == null ? Map.of() : parent.getData();
            if (!data.containsKey("begun")) {
                return Decision.act(new Step.Label(parent));
            }
            if (observed.child().isEmpty()) {
                return Decision.act(new Step.MakeChild(parent));
            }
            return data.containsKey("done")
                    ? Decision.done()
                    : Decision.act(new Step.Finish(parent, observed.child().get()));
        }

        Outcome act(Step step) {
            switch (step) {
                case Step.Label(ConfigMap parent) ->
                    writer.patch(parent, JsonPatch.empty().add("/data", Map.of("begun", "yes")));
                case Step.MakeChild(ConfigMap parent) ->
                    writer.create(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(parent.getMetadata().getNamespace())
                            .withName(parent.getMetadata().getName() + "-child")
                            .endMetadata()
                            .build());
                case Step.Finish(ConfigMap parent, Secret child) ->
                    writer.merge(
                            parent,
                            Map.of("data", Map.of("done", child.getMetadata().getUid())));
            }
            return Outcome.progress();
        }
    }

    @Test
    void twoHundredObjectsWrittenAndReconciledNeedNoWriteTwice(TestCluster cluster) throws InterruptedException {
        ApiUser user = cluster.user("controller");
        try (TestEngine engine = TestEngine.open(user.config())) {
            Scope scope = Scope.namespace(cluster.namespace());
            ObjectCache<ConfigMap> parents = engine.caches().of(ConfigMap.class, scope.labelled("test", "parent"));
            ObjectCache<Secret> children = engine.caches().of(Secret.class, scope);
            Loop loop = new Loop(parents, children, engine.writer(Leadership.always()));
            WorkQueue<ObjectKey> queue = engine.queue("parents");
            Reconciler<ObjectKey> reconciler =
                    new LoopReconciler<>(Leadership.always(), loop::observe, loop::decide, loop::act);
            engine.controller("parents", reconciler, queue, Leadership.always(), 16)
                    .watch(parents, Function.identity())
                    .watchRelated(
                            children,
                            child -> parents.get(
                                            child.getMetadata().getNamespace(),
                                            child.getMetadata().getName().replace("-child", ""))
                                    .map(ObjectKey::of)
                                    .map(List::of)
                                    .orElse(List.of()));
            engine.start();
            for (int i = 0; i < OBJECTS; i++) {
                cluster.admin().resource(parent(cluster, i)).create();
            }
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> isSettled(parents, queue));
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.writes()).as("%s", requests).isEqualTo(3 * OBJECTS);
            assertThat(requests.reads()).as("%s", requests).isZero();
            assertThat(requests.count(request -> request.code() >= 400))
                    .as("%s", requests)
                    .isZero();
            assertThat(parents.ahead() + children.ahead()).isZero();
        }
    }

    private static boolean isSettled(ObjectCache<ConfigMap> parents, WorkQueue<ObjectKey> queue) {
        long finished = parents.list().stream()
                .filter(parent -> parent.getData() != null && parent.getData().containsKey("done"))
                .count();
        return finished == OBJECTS && queue.depth() == 0 && queue.inWork() == 0 && parents.ahead() == 0;
    }

    private static ConfigMap parent(TestCluster cluster, int number) {
        ConfigMap map = cluster.configMap("parent-" + number);
        map.getMetadata().setLabels(Map.of("test", "parent"));
        return map;
    }
}
