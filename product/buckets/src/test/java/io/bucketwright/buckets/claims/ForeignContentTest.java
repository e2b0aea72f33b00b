package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A tenant fills the Secret and the ConfigMap of a claim with content of its own. The cache does not have all of it; the
 * controller neither removes it nor writes again and again.
 */
@Timeout(60)
class ForeignContentTest {

    private static final int MANY = 500;

    private final World world = new World(Map.of());

    @BeforeEach
    void bind() {
        world.settle(photos());
        world.editSecret(secret -> {
            fill(secret.getMetadata());
            secret.setData(filled(secret.getData()));
        });
        world.editConfigMap(configMap -> {
            fill(configMap.getMetadata());
            configMap.setData(filled(configMap.getData()));
        });
    }

    private static Map<String, String> filled(Map<String, String> data) {
        Map<String, String> more = new HashMap<>(data);
        for (int i = 0; i < MANY; i++) {
            more.put("0-THEIRS-" + i, "eWVz");
        }
        more.put("LARGE", "QUJD".repeat(100_000));
        return more;
    }

    private static void fill(ObjectMeta metadata) {
        List<String> finalizers = new ArrayList<>();
        List<OwnerReference> owners = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            metadata.getLabels().put("label-" + i, "theirs");
            metadata.getAnnotations().put("annotation-" + i, "theirs");
            finalizers.add("theirs.example.com/" + i);
            owners.add(new OwnerReferenceBuilder()
                    .withKind("ObjectBucketClaim")
                    .withName("other-" + i)
                    .withUid("other-" + i)
                    .build());
        }
        finalizers.addAll(metadata.getFinalizers());
        owners.addAll(metadata.getOwnerReferences());
        metadata.setFinalizers(finalizers);
        metadata.setOwnerReferences(owners);
    }

    @Test
    void nothingIsWrittenAlsoNotAfterARestart() {
        int writes = world.writes();
        world.settle();
        world.restart();
        world.settle();
        assertThat(world.writes()).isEqualTo(writes);
        assertThat(world.store.calls()).containsOnlyOnce("provision");
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void anEditIsRepairedOnceAndTheRestStays() {
        world.settle();
        Map<String, String> config = world.config();
        List<Map<String, String>> edits = List.of(
                with(config, "BUCKET_NAME", "other"), with(config, "BUCKET_NAME", ""), without(config, "BUCKET_NAME"));
        for (Map<String, String> edit : edits) {
            int writes = world.writes();
            world.editConfigMap(configMap -> configMap.setData(edit));
            world.settle();
            assertThat(world.config()).isEqualTo(config);
            assertThat(world.writes()).isEqualTo(writes + 1);
        }
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        world.settle();
        assertThat(world.opens(secret())).isTrue();
        assertFilled(secret());
        assertThat(secret().getData()).containsEntry("0-THEIRS-0", "eWVz").containsKey("LARGE");
    }

    @Test
    void anEditedAnnotationCostsOneRepairAndNotMore() {
        world.settle();
        world.editSecret(secret -> secret.getMetadata().setAnnotations(Map.of()));
        world.editConfigMap(configMap -> configMap.getMetadata().setAnnotations(Map.of()));
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        world.assertRestartWritesNothing();
        assertThat(world.opens(secret())).isTrue();
    }

    /** A merge patch replaces the whole list of finalizers, and the cache does not have all of them. */
    @Test
    void finalizersOfOthersStayWhenTheOwnOneIsAddedAgain() {
        world.editSecret(ForeignContentTest::removeOwnFinalizer);
        world.editConfigMap(ForeignContentTest::removeOwnFinalizer);
        world.settle();
        assertFilled(secret());
        assertFilled(world.configMap().orElseThrow());
    }

    @Test
    void finalizersOfOthersStayWhenTheClaimIsDeleted() {
        world.settle();
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        assertThat(world.store.names()).isEmpty();
        for (HasMetadata child : List.of(secret(), world.configMap().orElseThrow())) {
            assertThat(Metadata.isBeingDeleted(child)).isTrue();
            assertThat(Metadata.finalizers(child)).hasSize(MANY).doesNotContain(ObjectBucketNames.FINALIZER);
        }
    }

    @Test
    void aDeletedSecretIsCreatedAgainWithTheSameCredentials() {
        world.editSecret(secret -> secret.getMetadata().setFinalizers(List.of(ObjectBucketNames.FINALIZER)));
        world.settle();
        Secret before = secret();
        world.delete(Secret.class);
        world.settle();
        assertThat(secret().getMetadata().getUid())
                .isNotEqualTo(before.getMetadata().getUid());
        assertThat(before.getData()).containsAllEntriesOf(secret().getData());
        assertThat(secret().getData()).containsKey("SECRET_ACCESS_KEY").doesNotContainKey("LARGE");
        assertThat(world.store.calls()).containsOnlyOnce("provision");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void anObjectThatIsHeldByFinalizersOfOthersIsWaitedForWithoutWrites() {
        for (Class<? extends HasMetadata> type : List.of(Secret.class, ConfigMap.class)) {
            world.delete(type);
            world.settle();
            int writes = world.writes();
            world.restart();
            world.settle();
            assertThat(world.writes()).isLessThanOrEqualTo(writes + 1);
            assertThat(Metadata.finalizers(
                            world.server.get(type, World.NAMESPACE, World.NAME).orElseThrow()))
                    .hasSize(MANY);
            world.server.edit(
                    type,
                    World.NAMESPACE,
                    World.NAME,
                    child -> child.getMetadata().setFinalizers(List.of()));
            world.settle();
            assertThat(Metadata.isBeingDeleted(
                            world.server.get(type, World.NAMESPACE, World.NAME).orElseThrow()))
                    .isFalse();
        }
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.opens(secret())).isTrue();
    }

    private Secret secret() {
        return world.published();
    }

    private static void removeOwnFinalizer(HasMetadata object) {
        List<String> others = new ArrayList<>(Metadata.finalizers(object));
        others.remove(ObjectBucketNames.FINALIZER);
        object.getMetadata().setFinalizers(others);
    }

    private static void assertFilled(HasMetadata object) {
        assertThat(Metadata.finalizers(object)).hasSize(MANY + 1).contains(ObjectBucketNames.FINALIZER);
        assertThat(Metadata.owners(object)).hasSize(MANY + 1);
        assertThat(Metadata.labels(object)).hasSizeGreaterThan(MANY);
        assertThat(Metadata.annotations(object)).hasSizeGreaterThan(MANY);
    }

    private static Map<String, String> with(Map<String, String> data, String key, String value) {
        Map<String, String> edited = new HashMap<>(data);
        edited.put(key, value);
        return edited;
    }

    private static Map<String, String> without(Map<String, String> data, String key) {
        Map<String, String> edited = new HashMap<>(data);
        edited.remove(key);
        return edited;
    }
}
