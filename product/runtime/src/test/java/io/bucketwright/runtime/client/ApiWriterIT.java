package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@OnCluster
class ApiWriterIT {

    @Test
    void aPatchAppliesToTheVersionThatWasReadOrNotAtAll(TestCluster cluster) throws InterruptedException {
        try (TestEngine engine = TestEngine.open(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap first = writer.create(cluster.configMap("a"));
            ConfigMap second = writer.patch(first, JsonPatch.empty().add("/data", Map.of("n", "1")));
            assertThat(second.getData()).containsEntry("n", "1");
            refused(
                    () -> writer.patch(first, JsonPatch.empty().add("/data", Map.of("n", "2"))),
                    ApiError.Conflict.class);
            refused(() -> writer.merge(first, Map.of("data", Map.of("n", "2"))), ApiError.Conflict.class);
            ConfigMap third = writer.merge(second, Map.of("data", Map.of("n", "3")));
            assertThat(third.getData()).containsEntry("n", "3");
        }
    }

    @Test
    void theServerRecordsTheFieldManager(TestCluster cluster) {
        try (TestEngine engine = TestEngine.open(cluster.user("writer").config())) {
            ConfigMap map = cluster.configMap("a");
            map.setData(Map.of("n", "1"));
            engine.writer(Leadership.always()).create(map);
            assertThat(cluster.admin().raw("/api/v1/namespaces/" + cluster.namespace() + "/configmaps/a"))
                    .contains("\"manager\":\"bucketwright\"")
                    .doesNotContain("fabric8");
        }
    }

    @Test
    void anObjectThatWasCreatedAgainIsNeitherPatchedNorDeleted(TestCluster cluster) {
        try (TestEngine engine = TestEngine.open(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap first = writer.create(cluster.configMap("a"));
            writer.delete(first);
            ConfigMap second = writer.create(cluster.configMap("a"));
            refused(() -> writer.patch(first, JsonPatch.empty().add("/data", Map.of())), ApiError.Conflict.class);
            refused(() -> writer.delete(first), ApiError.Conflict.class);
            refused(() -> writer.deleteAnyVersion(first), ApiError.Conflict.class);
            assertThat(cluster.admin().resource(second).get().getMetadata().getUid())
                    .isEqualTo(second.getMetadata().getUid());
        }
    }

    @Test
    void errorsAreDistinguished(TestCluster cluster) {
        try (TestEngine engine = TestEngine.open(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap there = writer.create(cluster.configMap("a"));
            refused(() -> writer.create(cluster.configMap("a")), ApiError.AlreadyExists.class);
            refused(() -> writer.create(cluster.configMap("Not_A_Name")), ApiError.Invalid.class);
            refused(
                    () -> writer.patch(there, JsonPatch.empty().replace("/metadata/name", "b")),
                    ApiError.Invalid.class);
            writer.delete(there);
            refused(() -> writer.patch(there, JsonPatch.empty().add("/data", Map.of())), ApiError.NotFound.class);
            writer.delete(there);
            ApiUser stranger = cluster.user("stranger", List.of());
            try (TestEngine powerless = TestEngine.open(stranger.config())) {
                refused(
                        () -> powerless.writer(Leadership.always()).create(cluster.configMap("b")),
                        ApiError.Forbidden.class);
            }
        }
    }

    @Test
    void aTerminatingNamespaceIsNotAMissingPermission(TestCluster cluster) {
        String name = cluster.namespace() + "-terminating";
        Namespace terminating = new Namespace();
        terminating.setMetadata(new ObjectMeta());
        terminating.getMetadata().setName(name);
        cluster.admin().resource(terminating).create();
        ConfigMap holding = cluster.configMap("holding");
        holding.getMetadata().setNamespace(name);
        holding.getMetadata().setFinalizers(List.of("bucketwright.io/test"));
        cluster.admin().resource(holding).create();
        cluster.admin().namespaces().withName(name).delete();
        try (TestEngine engine = TestEngine.open(cluster.user("writer").config())) {
            ConfigMap late = cluster.configMap("late");
            late.getMetadata().setNamespace(name);
            refused(() -> engine.writer(Leadership.always()).create(late), ApiError.Terminating.class);
        } finally {
            cluster.removeFinalizers(holding);
        }
    }

    @Test
    void whatWasWrittenIsReadAtOnceAndLeavesTheOverlayWhenTheInformerHasIt(TestCluster cluster)
            throws InterruptedException {
        ApiUser user = cluster.user("writer");
        try (TestEngine engine = TestEngine.open(user.config())) {
            ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            engine.start();
            ApiWriter writer = engine.writer(Leadership.always());
            for (int i = 0; i < 50; i++) {
                String name = "m" + i;
                ConfigMap made = writer.create(cluster.configMap(name));
                assertThat(read(maps, made)).isPresent();
                ConfigMap held = writer.patch(
                        made, JsonPatch.empty().add("/metadata/finalizers", List.of("bucketwright.io/test")));
                writer.delete(held);
                ConfigMap deleted = read(maps, made).orElseThrow();
                assertThat(deleted.getMetadata().getDeletionTimestamp()).isNotNull();
                writer.patch(deleted, JsonPatch.empty().remove("/metadata/finalizers"));
                assertThat(read(maps, made)).as("after its last finalizer").isEmpty();
                ConfigMap next = writer.create(cluster.configMap(name));
                assertThat(read(maps, made).orElseThrow().getMetadata().getUid())
                        .isEqualTo(next.getMetadata().getUid());
                writer.delete(next);
                assertThat(read(maps, made)).as("after its deletion").isEmpty();
            }
            Awaitility.await().until(() -> maps.ahead() == 0);
            assertThat(maps.list()).noneMatch(it -> it.getMetadata().getName().startsWith("m"));
        }
        assertThat(cluster.requests(user).writes()).isEqualTo(50 * 6);
        assertThat(cluster.requests(user).reads()).isZero();
    }

    private static Optional<ConfigMap> read(ObjectCache<ConfigMap> maps, ConfigMap object) {
        return maps.get(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private static void refused(ThrowingCallable write, Class<? extends ApiError> how) {
        assertThatThrownBy(write)
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isInstanceOf(how));
    }
}
