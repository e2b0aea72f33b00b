package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever happens, in whatever order: nothing is lost, nothing is made twice, and it always ends. */
class ClaimModelTest {

    /** What users, administrators and misfortune do. */
    enum Happening {
        WORK,
        DIE_BEFORE_A_WRITE,
        DIE_AFTER_A_WRITE,
        STORE_FAILS,
        STORE_ANSWER_IS_LOST,
        SECRET_DELETED,
        SECRET_EDITED,
        CONFIG_MAP_DELETED,
        CONFIG_MAP_EDITED,
        ROTATION_ASKED,
        OPTIONS_CHANGED,
        CLASS_GONE
    }

    @Property(tries = 400)
    void afterAnyHistoryAClaimIsBoundWithKeysThatWorkAndThenGoesWithoutATrace(
            @ForAll @Size(max = 12) List<Happening> history, @ForAll @IntRange(min = 1, max = 9) int moment) {
        World world = new World(Map.of("rotationOverlap", "1h"));
        world.claim(ObjectBucketClaimSpec.builder().storageClassName("fast").generateBucketName("photos"));
        history.forEach(happening -> happen(world, happening, moment));
        calm(world);
        world.settle();

        boolean never = history.contains(Happening.CLASS_GONE) && world.bucket() == null;
        if (!never) {
            assertBound(world);
        }
        world.delete("claim");
        happen(world, moment % 2 == 0 ? Happening.DIE_BEFORE_A_WRITE : Happening.DIE_AFTER_A_WRITE, moment);
        world.settle();
        world.settle();
        assertThat(world.objects).isEmpty();
        assertThat(world.store.names()).isEmpty();
        assertThat(world.store.principals()).isZero();
    }

    @Property(tries = 200)
    void aClaimDeletedInTheMiddleOfAnythingGoesWithoutATrace(
            @ForAll @Size(max = 8) List<Happening> history, @ForAll @IntRange(min = 1, max = 9) int moment) {
        World world = new World(Map.of());
        world.claim(ObjectBucketClaimSpec.builder().storageClassName("fast").generateBucketName("photos"));
        world.dieAt(moment, moment % 2 == 0);
        world.reconcile();
        world.delete("claim");
        history.forEach(happening -> happen(world, happening, moment));
        calm(world);
        world.settle();
        assertThat(world.objects).isEmpty();
        assertThat(world.store.names()).isEmpty();
        assertThat(world.store.principals()).isZero();
    }

    private static void assertBound(World world) {
        assertThat(Objects.requireNonNull(world.claim()).phase()).isEqualTo(Phase.BOUND);
        assertThat(Objects.requireNonNull(world.bucket()).phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).hasSize(1);
        assertThat(world.store.principals()).isEqualTo(1);
        assertThat(world.store.keys()).isEqualTo(1);
        Map<String, String> data = Objects.requireNonNull(world.secret()).getData();
        assertThat(world.store.opens(
                        clear(data, "ACCESS_KEY_ID"),
                        clear(data, "SECRET_ACCESS_KEY"),
                        Objects.requireNonNull(world.configMap()).getData().getOrDefault("BUCKET_NAME", "")))
                .isTrue();
        int writes = world.writes;
        world.settle();
        assertThat(world.writes).as("at rest, nothing is written").isEqualTo(writes);
    }

    private static String clear(Map<String, String> data, String key) {
        return new String(Base64.getDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.UTF_8);
    }

    private static void happen(World world, Happening happening, int moment) {
        switch (happening) {
            case WORK -> world.reconcile();
            case DIE_BEFORE_A_WRITE -> {
                world.dieAt(moment, false);
                world.reconcile();
            }
            case DIE_AFTER_A_WRITE -> {
                world.dieAt(moment, true);
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
            case SECRET_DELETED -> world.delete("secret");
            case SECRET_EDITED -> {
                if (world.secret() != null) {
                    Objects.requireNonNull(world.secret()).getData().put("SECRET_ACCESS_KEY", "d3Jvbmc=");
                }
            }
            case CONFIG_MAP_DELETED -> world.delete("configMap");
            case CONFIG_MAP_EDITED -> {
                if (world.configMap() != null) {
                    Objects.requireNonNull(world.configMap()).getData().put("BUCKET_HOST", "evil.test");
                }
            }
            case ROTATION_ASKED -> annotate(world, world.now.toString());
            case OPTIONS_CHANGED -> grow(world);
            case CLASS_GONE -> world.bucketClass = new ObservedClass.Missing("fast");
        }
    }

    private static void annotate(World world, String time) {
        if (world.claim() != null) {
            Map<String, String> annotations = new HashMap<>();
            if (Objects.requireNonNull(world.claim()).getMetadata().getAnnotations() != null) {
                annotations.putAll(
                        Objects.requireNonNull(world.claim()).getMetadata().getAnnotations());
            }
            annotations.put(RotationRequest.ANNOTATION, time);
            Objects.requireNonNull(world.claim()).getMetadata().setAnnotations(annotations);
        }
    }

    private static void grow(World world) {
        if (world.claim() != null) {
            Objects.requireNonNull(world.claim())
                    .setSpec(Objects.requireNonNull(world.claim()).getSpec().toBuilder()
                            .additionalConfig(Map.of("maxObjects", "10"))
                            .build());
            Objects.requireNonNull(world.claim())
                    .getMetadata()
                    .setGeneration(
                            Objects.requireNonNull(world.claim()).getMetadata().getGeneration() + 1);
        }
    }

    /** The n-th call from here fails, and no other. */
    private static Consumer<String> once(int moment) {
        AtomicInteger left = new AtomicInteger((moment + 1) / 2);
        return call -> {
            if (left.decrementAndGet() == 0) {
                throw new Unavailable("The store is away.");
            }
        };
    }

    private static void calm(World world) {
        world.dieAt(0, false);
        world.store.before(call -> {});
        world.store.after(call -> {});
    }
}
