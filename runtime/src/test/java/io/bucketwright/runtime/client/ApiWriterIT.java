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
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
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
        try (TestEngine engine = new TestEngine(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap first = writer.create(map(cluster, "a"));
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
    void anotherLifeOfTheObjectIsNeitherPatchedNorDeleted(TestCluster cluster) {
        try (TestEngine engine = new TestEngine(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap first = writer.create(map(cluster, "a"));
            writer.delete(first);
            ConfigMap second = writer.create(map(cluster, "a"));
            refused(() -> writer.patch(first, JsonPatch.empty().add("/data", Map.of())), ApiError.Conflict.class);
            refused(() -> writer.delete(first), ApiError.Conflict.class);
            refused(() -> writer.deleteAnyVersion(first), ApiError.Conflict.class);
            assertThat(cluster.admin().resource(second).get().getMetadata().getUid())
                    .isEqualTo(second.getMetadata().getUid());
        }
    }

    @Test
    void refusalsAreToldApart(TestCluster cluster) {
        try (TestEngine engine = new TestEngine(cluster.user("writer").config())) {
            ApiWriter writer = engine.writer(Leadership.always());
            ConfigMap there = writer.create(map(cluster, "a"));
            refused(() -> writer.create(map(cluster, "a")), ApiError.AlreadyExists.class);
            refused(() -> writer.create(map(cluster, "Not_A_Name")), ApiError.Invalid.class);
            refused(
                    () -> writer.patch(there, JsonPatch.empty().replace("/metadata/name", "b")),
                    ApiError.Invalid.class);
            writer.delete(there);
            refused(() -> writer.patch(there, JsonPatch.empty().add("/data", Map.of())), ApiError.NotFound.class);
            writer.delete(there);
            ApiUser stranger = cluster.user("stranger", List.of());
            try (TestEngine powerless = new TestEngine(stranger.config())) {
                refused(
                        () -> powerless.writer(Leadership.always()).create(map(cluster, "b")),
                        ApiError.Forbidden.class);
            }
        }
    }

    @Test
    void aTerminatingNamespaceIsToldApartFromAMissingPermission(TestCluster cluster) {
        Namespace going = cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(cluster.namespace() + "-going")
                        .endMetadata()
                        .build())
                .create();
        String name = going.getMetadata().getName();
        ConfigMap holding = new ConfigMapBuilder(map(cluster, "holding"))
                .editMetadata()
                .withNamespace(name)
                .addToFinalizers("bucketwright.io/test")
                .endMetadata()
                .build();
        cluster.admin().resource(holding).create();
        cluster.admin().namespaces().withName(name).delete();
        try (TestEngine engine = new TestEngine(cluster.user("writer").config())) {
            ConfigMap late = new ConfigMapBuilder(map(cluster, "late"))
                    .editMetadata()
                    .withNamespace(name)
                    .endMetadata()
                    .build();
            refused(() -> engine.writer(Leadership.always()).create(late), ApiError.Terminating.class);
        } finally {
            cluster.admin()
                    .configMaps()
                    .inNamespace(name)
                    .withName("holding")
                    .edit(it -> new ConfigMapBuilder(it)
                            .editMetadata()
                            .withFinalizers()
                            .endMetadata()
                            .build());
        }
    }

    @Test
    void whatWasWrittenIsReadAtOnceAndLeavesTheOverlayWhenTheInformerHasIt(TestCluster cluster)
            throws InterruptedException {
        ApiUser user = cluster.user("writer");
        try (TestEngine engine = new TestEngine(user.config())) {
            ObjectCache<ConfigMap> maps = engine.caches().of(ConfigMap.class, Scope.namespace(cluster.namespace()));
            engine.start();
            ApiWriter writer = engine.writer(Leadership.always());
            for (int i = 0; i < 50; i++) {
                String name = "m" + i;
                ConfigMap made = writer.create(map(cluster, name));
                assertThat(read(maps, made)).isPresent();
                ConfigMap held = writer.patch(
                        made, JsonPatch.empty().add("/metadata/finalizers", List.of("bucketwright.io/test")));
                writer.delete(held);
                ConfigMap going = read(maps, made).orElseThrow();
                assertThat(going.getMetadata().getDeletionTimestamp()).isNotNull();
                writer.patch(going, JsonPatch.empty().remove("/metadata/finalizers"));
                assertThat(read(maps, made)).as("after its last finalizer").isEmpty();
                ConfigMap next = writer.create(map(cluster, name));
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

    private static ConfigMap map(TestCluster cluster, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .withName(name)
                .endMetadata()
                .build();
    }
}
