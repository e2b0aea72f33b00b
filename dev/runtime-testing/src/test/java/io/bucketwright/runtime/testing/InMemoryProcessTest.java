package io.bucketwright.runtime.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server in memory answers as kube-apiserver does, and caches lag behind it until the test delivers. */
final class InMemoryProcessTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualLeadership leadership = new ManualLeadership();
    private final InMemoryProcess process = new InMemoryProcess(server, time, leadership);
    private final ApiWriter writer = process.context().writer();

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aNameCanBeCreatedOnce() {
        ConfigMap created = writer.create(configMap("a"));
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(error(() -> writer.create(configMap("a")))).isInstanceOf(ApiError.AlreadyExists.class);
        server.delete(ConfigMap.class, "ns", "a");
        assertThat(writer.create(configMap("a")).getMetadata().getUid())
                .isNotEqualTo(created.getMetadata().getUid());
    }

    @Test
    void patchesAndDeletesApplyToOneVersionOnly() {
        ConfigMap old = writer.create(configMap("a"));
        ConfigMap merged = writer.merge(old, Map.of("data", Map.of("k", "v")));
        assertThat(merged.getData()).containsEntry("k", "v");
        assertThat(error(() -> writer.merge(old, Map.of("data", Map.of("k", "w")))))
                .isInstanceOf(ApiError.Conflict.class);
        assertThat(error(() -> writer.patch(old, JsonPatch.empty().remove("/data"))))
                .isInstanceOf(ApiError.Conflict.class);
        assertThat(error(() -> writer.delete(old))).isInstanceOf(ApiError.Conflict.class);
        assertThat(writer.patch(merged, JsonPatch.empty().remove("/data/k")).getData())
                .isNullOrEmpty();
        writer.deleteAnyVersion(merged);
        assertThat(server.list(ConfigMap.class)).isEmpty();
        assertThat(error(() -> writer.merge(merged, Map.of("data", Map.of())))).isInstanceOf(ApiError.NotFound.class);
    }

    @Test
    void anOwnWriteLooksTheSameBeforeAndAfterTheWatchDeliversIt() {
        ObjectCache<ConfigMap> cache = process.context()
                .caches()
                .of(
                        ConfigMap.class,
                        Scope.everything(),
                        map -> new ConfigMapBuilder()
                                .withNewMetadataLike(map.getMetadata())
                                .withLabels(Map.of("trimmed", "yes"))
                                .endMetadata()
                                .build());
        process.start();
        ConfigMap written = writer.merge(writer.create(configMap("a")), Map.of("data", Map.of("k", "v")));
        assertThat(written.getData()).as("the writer gets the whole object").containsEntry("k", "v");
        ConfigMap before = cache.get("ns", "a").orElseThrow();
        assertThat(before.getMetadata().getLabels()).containsExactly(Map.entry("trimmed", "yes"));
        assertThat(before.getData()).isNullOrEmpty();
        boolean delivered = process.deliverNext();
        while (delivered) {
            delivered = process.deliverNext();
        }
        assertThat(cache.get("ns", "a").orElseThrow()).isEqualTo(before);
    }

    @Test
    void statusIsASubresourceAndOnlyContentChangesTheGeneration() {
        PersistentVolumeClaim claim = writer.create(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("c")
                .endMetadata()
                .withNewSpec()
                .withVolumeName("v")
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .endStatus()
                .build());
        assertThat(claim.getStatus()).isNull();
        PersistentVolumeClaim bound = writer.mergeStatus(claim, Map.of("phase", "Bound"));
        assertThat(bound.getStatus().getPhase()).isEqualTo("Bound");
        assertThat(bound.getMetadata().getGeneration()).isEqualTo(1);
        PersistentVolumeClaim ignored = writer.merge(bound, Map.of("status", Map.of("phase", "Lost")));
        assertThat(ignored.getStatus().getPhase()).isEqualTo("Bound");
        assertThat(writer.merge(ignored, Map.of("spec", Map.of("volumeName", "w")))
                        .getMetadata()
                        .getGeneration())
                .isEqualTo(2);
    }

    @Test
    void aWriteThatChangesNothingMakesNoNewVersion() {
        ConfigMap created = writer.create(configMap("a"));
        ConfigMap same = writer.merge(created, Map.of("metadata", Map.of("labels", Map.of("app", "a"))));
        assertThat(same.getMetadata().getResourceVersion())
                .isEqualTo(created.getMetadata().getResourceVersion());
    }

    @Test
    void finalizersDelayDeletionAndOwnersCauseIt() {
        ConfigMap owner = writer.create(configMap("owner"));
        writer.merge(owner, Metadata.patch(owner).withFinalizer("example.com/f").fields());
        server.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("child")
                .withOwnerReferences(Metadata.ownerReference(owner))
                .endMetadata()
                .build());
        server.delete(ConfigMap.class, "ns", "owner");
        server.collectGarbage();
        ConfigMap deleted = server.get(ConfigMap.class, "ns", "owner").orElseThrow();
        assertThat(Metadata.isBeingDeleted(deleted)).isTrue();
        assertThat(server.list(Secret.class)).hasSize(1);
        writer.merge(deleted, Metadata.withoutFinalizer(deleted, "example.com/f"));
        server.collectGarbage();
        assertThat(server.list(ConfigMap.class)).isEmpty();
        assertThat(server.list(Secret.class)).isEmpty();
    }

    @Test
    void cachesShowOwnWritesAtOnceAndOthersWhenDelivered() {
        ObjectCache<ConfigMap> cache = process.context()
                .caches()
                .of(ConfigMap.class, Scope.everything().labelled("app", "a"));
        server.create(configMap("before"));
        process.start();
        assertThat(cache.list()).hasSize(1);
        server.create(configMap("other"));
        assertThat(cache.get("ns", "other")).isEmpty();
        ConfigMap own = writer.create(configMap("own"));
        assertThat(cache.get("ns", "own")).contains(own);
        while (process.deliverNext()) {
            assertThat(cache.get("ns", "own")).isPresent();
        }
        assertThat(cache.list()).hasSize(3);
        assertThat(cache.ahead()).isZero();
        server.edit(
                ConfigMap.class, "ns", "other", object -> object.getMetadata().setLabels(Map.of()));
        process.settle();
        assertThat(cache.get("ns", "other")).isEmpty();
    }

    @Test
    void aNewTermBeginsWithCurrentCachesWhichLagAgainAfterwards() {
        ObjectCache<ConfigMap> cache = process.context().caches().of(ConfigMap.class, Scope.everything());
        process.start();
        leadership.lose();
        server.create(configMap("former"));
        leadership.gain();
        assertThat(cache.get("ns", "former")).as("no other process led").isEmpty();
        leadership.lose();
        leadership.gainAfterAnotherLeader();
        assertThat(cache.get("ns", "former")).isPresent();
        server.create(configMap("later"));
        assertThat(cache.get("ns", "later")).isEmpty();
    }

    @Test
    void aLostRequestHasNoEffectAndALostResponseHas() {
        Queue<Fault> faults = new ArrayDeque<>(List.of(Fault.REQUEST_LOST, Fault.RESPONSE_LOST, Fault.NONE));
        process.faults(faults::remove);
        assertThat(error(() -> writer.create(configMap("a")))).isInstanceOf(ApiError.Unavailable.class);
        assertThat(server.list(ConfigMap.class)).isEmpty();
        assertThat(error(() -> writer.create(configMap("a")))).isInstanceOf(ApiError.Unavailable.class);
        assertThat(server.list(ConfigMap.class)).hasSize(1);
        assertThat(error(() -> writer.create(configMap("a")))).isInstanceOf(ApiError.AlreadyExists.class);
    }

    @Test
    void aCacheShowsWhetherACreationWithoutResponseTookEffect() {
        ObjectCache<ConfigMap> cache = process.context().caches().of(ConfigMap.class, Scope.everything());
        process.start();
        Queue<Fault> faults = new ArrayDeque<>(List.of(Fault.REQUEST_LOST, Fault.RESPONSE_LOST));
        process.faults(faults::remove);
        assertThat(error(() -> writer.create(configMap("never")))).isInstanceOf(ApiError.Unavailable.class);
        assertThat(cache.get("ns", "never")).isEmpty();
        assertThat(error(() -> writer.create(configMap("late")))).isInstanceOf(ApiError.Unavailable.class);
        assertThat(cache.get("ns", "late")).isPresent();
    }

    @Test
    void controllersRunInTheThreadOfTheTestAndRetryWhenTimePasses() {
        ObjectCache<ConfigMap> cache = process.context().caches().of(ConfigMap.class, Scope.everything());
        process.context()
                .controller("test", (ObjectKey key) -> {
                    cache.get(key.namespace(), key.name())
                            .filter(object -> Metadata.label(object, "seen").isEmpty())
                            .ifPresent(object ->
                                    writer.merge(object, Map.of("metadata", Map.of("labels", Map.of("seen", "true")))));
                    return Result.done();
                })
                .watch(cache, Function.identity());
        process.start();
        Queue<Fault> faults = new ArrayDeque<>(List.of(Fault.RESPONSE_LOST));
        process.faults(() -> faults.isEmpty() ? Fault.NONE : faults.remove());
        server.create(configMap("a"));
        server.create(configMap("b"));
        process.settle();
        time.advance(Duration.ofMinutes(1));
        process.settle();
        assertThat(server.list(ConfigMap.class))
                .allMatch(object -> Metadata.label(object, "seen").equals("true"));
        assertThat(process.writes()).hasSize(2);
    }

    @Test
    void aProcessThatDoesNotLeadWritesNothing() {
        leadership.lose();
        assertThatThrownBy(() -> writer.create(configMap("a")))
                .isInstanceOf(io.bucketwright.runtime.LeadershipLostException.class);
        leadership.gainAfterAnotherLeader();
        assertThat(writer.create(configMap("a"))).isNotNull();
    }

    private static ApiError error(Runnable write) {
        try {
            write.run();
        } catch (ApiException e) {
            return e.error();
        }
        throw new AssertionError("the write succeeded");
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withLabels(Map.of("app", "a"))
                .endMetadata()
                .build();
    }
}
