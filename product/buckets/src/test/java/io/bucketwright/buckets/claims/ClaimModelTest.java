package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The real controller, in any order of events: nothing is lost, nothing is created twice, and it always ends. */
class ClaimModelTest {

    /** What users, administrators and failures do. */
    enum Happening {
        WORK,
        WORK_WITH_STALE_CACHES,
        CRASH_BEFORE_A_WRITE,
        CRASH_AFTER_A_WRITE,
        REQUEST_LOST,
        RESPONSE_LOST,
        STORE_FAILS,
        STORE_ANSWER_IS_LOST,
        STORE_IS_LATE,
        SECRET_DELETED,
        SECRET_EDITED,
        SECRET_LABEL_REMOVED,
        CONFIG_MAP_DELETED,
        CONFIG_MAP_LABEL_REMOVED,
        CONFIG_MAP_EDITED,
        ROTATION_REQUESTED,
        OPTIONS_CHANGED,
        CLASS_DELETED
    }

    @Property(tries = 400)
    void afterAnyHistoryAClaimIsBoundWithValidKeysAndIsDeletedCompletely(
            @ForAll @Size(max = 12) List<Happening> history, @ForAll @IntRange(min = 1, max = 9) int moment) {
        World world = new World(Map.of("rotationOverlap", "1h"));
        world.claim(photos());
        history.forEach(happening -> happen(world, happening, moment));
        world.noFaults();
        world.settle();

        boolean neverServed =
                history.contains(Happening.CLASS_DELETED) && world.bucket().isEmpty();
        if (!neverServed) {
            assertBound(world);
        }
        world.delete(ObjectBucketClaim.class);
        happen(world, moment % 2 == 0 ? Happening.CRASH_BEFORE_A_WRITE : Happening.CRASH_AFTER_A_WRITE, moment);
        world.noFaults();
        assertDeleted(world);
        world.close();
    }

    @Property(tries = 200)
    void aClaimDeletedAtAnyMomentIsDeletedCompletely(
            @ForAll @Size(max = 8) List<Happening> history,
            @ForAll @IntRange(min = 1, max = 9) int moment,
            @ForAll boolean late) {
        World world = new World(Map.of());
        if (late) {
            world.respondLate(World.SECOND.multipliedBy(3L * moment));
        }
        world.claim(photos());
        world.crashAt(moment, moment % 2 == 0);
        world.reconcile();
        world.delete(ObjectBucketClaim.class);
        history.forEach(happening -> happen(world, happening, moment));
        world.noFaults();
        assertDeleted(world);
        world.close();
    }

    private static void assertDeleted(World world) {
        world.settle();
        world.assertNothingLeft();
    }

    private static void assertBound(World world) {
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.objectBucket().phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).hasSize(1);
        assertThat(world.store.principals()).isEqualTo(1);
        assertThat(world.store.keys()).isEqualTo(1);
        Map<String, String> data = world.published().getData();
        assertThat(world.store.opens(
                        decode(data, "ACCESS_KEY_ID"),
                        decode(data, "SECRET_ACCESS_KEY"),
                        world.config().getOrDefault("BUCKET_NAME", "")))
                .isTrue();
        world.assertRestartWritesNothing();
    }

    private static String decode(Map<String, String> data, String key) {
        return new String(Base64.getDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.UTF_8);
    }

    private static void happen(World world, Happening happening, int moment) {
        switch (happening) {
            case WORK -> world.reconcile();
            case WORK_WITH_STALE_CACHES -> world.reconcileStale();
            case CRASH_BEFORE_A_WRITE -> {
                world.crashAt(moment, false);
                world.reconcile();
            }
            case CRASH_AFTER_A_WRITE -> {
                world.crashAt(moment, true);
                world.reconcile();
            }
            case REQUEST_LOST -> {
                world.loseAt(moment, Fault.REQUEST_LOST);
                world.reconcile();
            }
            case RESPONSE_LOST -> {
                world.loseAt(moment, Fault.RESPONSE_LOST);
                world.reconcile();
            }
            case STORE_FAILS -> {
                world.store.before(once(moment));
                world.reconcile();
            }
            case STORE_ANSWER_IS_LOST -> {
                world.store.after(once(moment));
                world.reconcile();
            }
            case STORE_IS_LATE -> {
                world.respondLate(World.SECOND.multipliedBy(3L * moment));
                world.reconcile();
            }
            case SECRET_DELETED -> world.delete(Secret.class);
            case SECRET_EDITED -> world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
            case SECRET_LABEL_REMOVED ->
                world.editSecret(secret -> secret.getMetadata().setLabels(Map.of()));
            case CONFIG_MAP_DELETED -> world.delete(ConfigMap.class);
            case CONFIG_MAP_LABEL_REMOVED ->
                world.editConfigMap(configMap -> configMap.getMetadata().setLabels(Map.of()));
            case CONFIG_MAP_EDITED ->
                world.editConfigMap(configMap -> configMap.getData().put("BUCKET_HOST", "evil.test"));
            case ROTATION_REQUESTED -> world.requestRotation();
            case OPTIONS_CHANGED -> world.setOptions(Map.of("maxObjects", "10"));
            case CLASS_DELETED -> world.deleteClass();
        }
    }

    /** The n-th call from now fails, and no other. */
    private static Consumer<String> once(int moment) {
        AtomicInteger left = new AtomicInteger((moment + 1) / 2);
        return call -> {
            if (left.decrementAndGet() == 0) {
                throw new Unavailable("The store is not available.");
            }
        };
    }
}
