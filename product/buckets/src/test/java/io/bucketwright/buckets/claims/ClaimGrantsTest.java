package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.IssuedCredentials;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.State;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The ledger of a claim: it is written before the store is called, and what ends follows from it alone. */
class ClaimGrantsTest {

    private static final Duration OVERLAP = Duration.ofHours(1);

    /** Everything that a tenant may edit, and what belongs to it. */
    enum Edit {
        FORMER_SECRET_PUT_BACK,
        FORMER_SECRET_PUT_BACK_AS_THE_NEXT,
        ANOTHER_KEY_WRITTEN,
        ANNOTATIONS_STRIPPED,
        LABELS_STRIPPED,
        OWNER_STRIPPED,
        SECRET_DELETED,
        SECRET_FORCE_DELETED,
        CONFIG_MAP_FORCE_DELETED,
        ROTATION_REQUESTED,
        TIME_PASSES,
        RESTART
    }

    /** How a claim goes. */
    enum End {
        DELETED,
        FINALIZER_STRIPPED,
        CREATED_AGAIN
    }

    private static World world() {
        return new World(Map.of("rotationOverlap", "1h"));
    }

    private static List<State> states(World world) {
        return world.grants().ledger().grants().stream().map(Grant::state).toList();
    }

    @Test
    void theFirstGrantIsRecordedBeforeTheStoreIsCalled() {
        World world = world();
        List<State> during = new ArrayList<>();
        world.store.before(call -> {
            if (call.equals("provision")) {
                during.addAll(states(world));
            }
        });
        world.bind(photos());
        assertThat(during).containsExactly(State.ISSUING);
        assertThat(states(world)).containsExactly(State.PUBLISHED);
        Grant published = world.grants().current().orElseThrow();
        assertThat(published.id()).isEqualTo("1");
        assertThat(published.account().name())
                .isEqualTo("bw-" + world.claim().orElseThrow().getMetadata().getUid());
        assertThat(published.publication().secret()).isEqualTo(World.NAME);
        assertThat(published.grantee().toString()).isEqualTo(World.NAMESPACE + "/" + World.NAME);
    }

    @Test
    void aRotationIsTwoGrantsUntilItsOverlapEnds() {
        World world = world();
        world.bind(photos());
        String former = world.grants().keyId();
        world.rotate();
        assertThat(states(world)).containsExactly(State.RETIRING, State.PUBLISHED);
        Grant ending = world.grants().ending().orElseThrow();
        assertThat(ending.publication().keyId()).isEqualTo(former);
        assertThat(Duration.between(world.time.now(), ending.until().orElseThrow()))
                .isBetween(OVERLAP, OVERLAP.plusSeconds(1));
        world.settle();
        assertThat(states(world)).containsExactly(State.PUBLISHED);
        assertThat(world.grants().current().orElseThrow().id())
                .as("ids are not reused")
                .isEqualTo("2");
    }

    @Test
    void aRecordThatCannotBeReadStopsEverythingUntilItIsRemoved() {
        World world = world();
        world.bind(photos());
        record(world, "{\"version\":9}");
        world.requestRotation();
        world.settle();
        world.assertReady("GrantsUnreadable", "version 9", "restores it");
        int calls = world.store.calls().size();
        world.delete(ObjectBucketClaim.class);
        world.settle();
        assertThat(world.store.calls()).hasSize(calls);
        assertThat(world.bucket()).isPresent();
        record(world, "");
        world.settle();
        world.assertNothingLeft();
    }

    private static void record(World world, String ledger) {
        world.editBucket(bucket -> {
            Map<String, String> state = new HashMap<>(bucket.getSpec().state());
            state.put(ObjectBucketNames.GRANTS, ledger);
            bucket.setSpec(bucket.getSpec().with("additionalState", state));
        });
    }

    /** Each claim has one in etcd and in the heap of each process. */
    @Test
    void theRecordOfABoundClaimIsSmall() {
        World world = world();
        world.bind(photos());
        String text = world.objectBucket().getSpec().state().get(ObjectBucketNames.GRANTS);
        assertThat(text).isNotNull().hasSizeLessThan(150);
        assertThat(Serialization.asJson(world.objectBucket())).hasSizeLessThan(4_500);
    }

    @Property(tries = 300)
    void whateverATenantEditsAReplacedKeyEndsAndNothingWorksAfterTheClaim(
            @ForAll @Size(max = 10) List<Edit> edits, @ForAll End end) {
        World world = world();
        world.bind(photos());
        Secret withdrawn = copy(world.published());
        String withdrawnId = world.grants().keyId();
        world.rotate();
        edits.forEach(edit -> edit(world, edit, withdrawn, withdrawnId));
        world.settleFor(OVERLAP.plusMinutes(1));
        assertThat(world.store.opens(withdrawn, world.bucketName()))
                .as("the withdrawn key")
                .isFalse();
        assertThat(world.grants().ledger().grants()).hasSizeLessThan(5);
        end(world, end);
        if (end == End.CREATED_AGAIN) {
            assertThat(world.store.principals()).as("the user of the new claim").isLessThanOrEqualTo(1);
            world.forceDelete(Secret.class);
            world.delete(ObjectBucketClaim.class);
            world.settle();
        }
        assertThat(world.store.principals()).isZero();
        assertThat(world.store.keys()).isZero();
        world.close();
    }

    private static Secret copy(Secret secret) {
        return new SecretBuilder(secret).build();
    }

    private static void edit(World world, Edit edit, Secret withdrawn, String withdrawnId) {
        switch (edit) {
            case FORMER_SECRET_PUT_BACK ->
                world.editSecret(secret -> {
                    secret.setData(withdrawn.getData());
                    secret.getMetadata().setAnnotations(withdrawn.getMetadata().getAnnotations());
                });
            case FORMER_SECRET_PUT_BACK_AS_THE_NEXT -> forge(world, withdrawn.getData(), withdrawnId);
            case ANOTHER_KEY_WRITTEN -> forge(world, Map.of("AWS_ACCESS_KEY_ID", "Tk9ORQ=="), "NONE");
            case ANNOTATIONS_STRIPPED ->
                world.editSecret(secret -> secret.getMetadata().setAnnotations(Map.of()));
            case LABELS_STRIPPED ->
                world.editSecret(secret -> secret.getMetadata().setLabels(Map.of()));
            case OWNER_STRIPPED ->
                world.editSecret(secret -> secret.getMetadata().setOwnerReferences(List.of()));
            case SECRET_DELETED -> world.delete(Secret.class);
            case SECRET_FORCE_DELETED -> world.forceDelete(Secret.class);
            case CONFIG_MAP_FORCE_DELETED -> world.forceDelete(ConfigMap.class);
            case ROTATION_REQUESTED -> world.requestRotation();
            case TIME_PASSES -> world.settleFor(Duration.ofMinutes(7));
            case RESTART -> world.restart();
        }
        world.reconcile();
    }

    /** Writes what the controller writes for that key, in place of the recorded one. */
    static void forge(World world, Map<String, String> data, String keyId) {
        world.editSecret(secret -> {
            secret.setData(new HashMap<>(data));
            String uid = world.objectBucket().getMetadata().getUid();
            Set<String> keys = data.keySet();
            String digest = ChildObject.ofWholeSecret(secret).digest(keys);
            secret.getMetadata()
                    .setAnnotations(new IssuedCredentials(
                                    uid, keyId, digest, keys, world.grants().keyId(), "")
                            .annotations());
        });
        world.reconcile();
    }

    private static void end(World world, End end) {
        switch (end) {
            case DELETED -> world.delete(ObjectBucketClaim.class);
            case FINALIZER_STRIPPED -> world.forceDelete(ObjectBucketClaim.class);
            case CREATED_AGAIN -> {
                world.forceDelete(ObjectBucketClaim.class);
                world.claim(photos());
            }
        }
        // It may wait for a foreign Secret, again and again.
        for (int minute = 0; minute < 10; minute++) {
            world.settleFor(Duration.ofMinutes(1));
        }
    }
}
