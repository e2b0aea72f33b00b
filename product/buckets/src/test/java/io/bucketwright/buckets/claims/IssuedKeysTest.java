package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key that pods can have read stays valid until its time has come, and no longer. */
class IssuedKeysTest {

    private static World bound() {
        World world = pending();
        world.settle();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        return world;
    }

    private static World pending() {
        World world = new World(Map.of("rotationOverlap", "1h"));
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        return world;
    }

    private static void setOptions(World world, Map<String, String> options) {
        world.editClaim(claim -> claim.setSpec(
                claim.getSpec().toBuilder().additionalConfig(options).build()));
    }

    private static void requestRotation(World world) {
        world.editClaim(claim -> {
            Map<String, String> annotations = new HashMap<>(Metadata.annotations(claim));
            annotations.put(RotationRequest.ANNOTATION, world.time.now().toString());
            claim.getMetadata().setAnnotations(annotations);
        });
    }

    private static boolean opens(World world, Secret secret) {
        return world.store.opens(secret, world.store.names().iterator().next());
    }

    private static Secret secret(World world) {
        return world.secret().orElseThrow();
    }

    @Test
    void invalidOptionsStopNeitherRotationNorTheEndOfThePreviousKey() {
        World world = bound();
        Secret first = secret(world);
        setOptions(world, Map.of("nonsense", "1"));
        requestRotation(world);
        world.reconcile();
        Secret second = secret(world);
        assertThat(second.getData()).isNotEqualTo(first.getData());
        assertThat(opens(world, first)).as("during the overlap").isTrue();
        world.settle();
        assertThat(opens(world, first)).as("after the overlap").isFalse();
        assertThat(opens(world, second)).isTrue();
        assertThat(world.ready().getReason()).isEqualTo("OptionsNotApplied");
    }

    @Test
    void invalidOptionsDoNotStopTheRepairOfASecret() {
        World world = bound();
        setOptions(world, Map.of("nonsense", "1"));
        world.settle();
        world.delete(Secret.class);
        world.settle();
        assertThat(Metadata.isBeingDeleted(secret(world))).isFalse();
        world.editSecret(secret -> secret.getMetadata().setFinalizers(List.of()));
        world.delete(Secret.class);
        world.settle();
        assertThat(opens(world, secret(world))).isTrue();
    }

    /** Writes 3 to 5 are those of Secret, ConfigMap and ObjectBucket. */
    @ParameterizedTest
    @CsvSource({"3, true", "4, false", "4, true", "5, false"})
    void theKeyInASecretIsRecordedAfterACrashAndNoSecondOneIsLeft(int write, boolean after) {
        World world = pending();
        world.crashAt(write, after);
        world.reconcile();
        Secret read = secret(world);
        world.reconcile();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(secret(world).getData()).as("the key that pods have read").isEqualTo(read.getData());
        assertThat(opens(world, read)).isTrue();
        world.settleFor(World.SECOND.multipliedBy(30));
        assertThat(world.store.keys()).as("long before the end of an overlap").isEqualTo(1);
        assertThat(opens(world, read)).isTrue();
    }

    /** Access ends with the ObjectBucket, so the key in the Secret may have ended. */
    @Test
    void theKeyFromBeforeALostBucketIsNotRecorded() {
        World world = pending();
        world.crashAt(5, false);
        world.reconcile();
        world.editBucket(bucket -> bucket.getMetadata().setFinalizers(List.of()));
        world.server.delete(
                ObjectBucket.class,
                "",
                world.bucket().orElseThrow().getMetadata().getName());
        world.store.deleteKeys();
        world.settle();
        assertThat(world.bucket()).isPresent();
        assertThat(opens(world, secret(world))).isTrue();
    }

    /** Outside of an overlap there is a free key: nothing waits, also while late keys of a former leader may appear. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void renamedKeysDoNotWaitOutsideOfAnOverlap(boolean afterTakeover) {
        World world = pending();
        if (afterTakeover) {
            world.crashAt(3, false);
            world.reconcile();
        }
        world.reconcile();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        setOptions(world, Map.of("renameKeys", "ACCESS_KEY_ID=USER"));
        world.reconcile();
        assertThat(secret(world).getData()).containsKey("USER");
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void theKeyInAnEditedSecretSurvivesACrashBeforeTheBucketIsComplete() {
        World world = pending();
        world.crashAt(5, false);
        world.reconcile();
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.PENDING);
        Secret read = secret(world);
        world.reconcile();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(opens(world, read)).as("the key that pods have read").isTrue();
        assertThat(opens(world, secret(world))).isTrue();
        world.settle();
        assertThat(world.store.keys()).as("after the overlap").isEqualTo(1);
        assertThat(opens(world, secret(world))).isTrue();
    }

    @Test
    void aCrashDuringARotationKeepsBothKeys() {
        World world = bound();
        Secret first = secret(world);
        requestRotation(world);
        world.crashAt(2, false);
        world.reconcile();
        Secret second = secret(world);
        assertThat(second.getData()).isNotEqualTo(first.getData());
        world.reconcile();
        assertThat(secret(world).getData()).as("no third key").isEqualTo(second.getData());
        assertThat(opens(world, first)).isTrue();
        assertThat(opens(world, second)).isTrue();
        world.settle();
        assertThat(world.store.keys()).isEqualTo(1);
        assertThat(opens(world, second)).isTrue();
    }

    @Test
    void aSecretFromBeforeARotationThatIsPutBackDoesNotBecomeTheRecord() {
        World world = bound();
        Secret former = secret(world);
        requestRotation(world);
        world.settle();
        assertThat(opens(world, former)).isFalse();
        world.editSecret(secret -> {
            secret.setData(former.getData());
            secret.getMetadata().setAnnotations(former.getMetadata().getAnnotations());
        });
        world.settle();
        assertThat(opens(world, secret(world))).isTrue();
        assertThat(world.store.keys()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEditDuringTheOverlapDoesNotEndThePreviousKey(boolean secretEdited) {
        World world = bound();
        Secret first = secret(world);
        requestRotation(world);
        world.reconcile();
        if (secretEdited) {
            world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        } else {
            setOptions(world, Map.of("renameKeys", "ACCESS_KEY_ID=USER"));
        }
        world.reconcile();
        assertThat(opens(world, first)).as("the previous key").isTrue();
        assertThat(world.ready().getReason()).isEqualTo("WaitingForPreviousKey");
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        world.settle();
        assertThat(opens(world, first)).isFalse();
        assertThat(opens(world, secret(world))).isTrue();
        assertThat(secret(world).getData().containsKey("USER")).isEqualTo(!secretEdited);
        assertThat(world.store.keys()).isEqualTo(1);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    /** As on a node whose clock was behind during the rotation: the recorded end of the overlap is then too early. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClockThatIsSetForwardDoesNotEndTheOverlap(boolean anotherRequested) {
        World world = bound();
        Secret first = secret(world);
        world.time.setWall(Duration.ofHours(-2));
        requestRotation(world);
        world.reconcile();
        world.time.setWall(Duration.ZERO);
        if (anotherRequested) {
            requestRotation(world);
        }
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        world.reconcile();
        world.settleFor(Duration.ofMinutes(55));
        assertThat(opens(world, first)).as("during the overlap").isTrue();
        world.settleFor(Duration.ofMinutes(10));
        assertThat(opens(world, first)).as("after the overlap").isFalse();
        assertThat(opens(world, secret(world))).isTrue();
    }

    /** Whoever may edit the objects of a namespace must not keep a withdrawn key with them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"foreign Secret", "foreign ConfigMap", "deleted ConfigMap", "full quota", "deleted ObjectBucket"
            })
    void nothingThatAClaimWaitsForKeepsThePreviousKeyAlive(String obstacle) {
        World world = bound();
        Secret withdrawn = secret(world);
        requestRotation(world);
        world.reconcile();
        Secret current = secret(world);
        obstruct(world, obstacle);
        world.reconcile();
        assertThat(opens(world, withdrawn)).as("during the overlap").isTrue();
        world.settleFor(Duration.ofMinutes(61));
        assertThat(opens(world, withdrawn)).as("after the overlap").isFalse();
        assertThat(opens(world, current)).isTrue();
    }

    /** Two operations that fail must not make the process forget that each of them has to wait. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "foreign Secret",
                "foreign ConfigMap",
                "deleted ConfigMap",
                "full quota",
                "deleted ObjectBucket",
                "lost Secret"
            })
    void aStoreThatDoesNotRespondIsNotCalledInALoop(String obstacle) {
        World world = pending();
        world.verifyEvery(Duration.ofHours(6));
        world.restart();
        world.reconcile();
        Secret withdrawn = secret(world);
        requestRotation(world);
        world.reconcile();
        obstruct(world, obstacle);
        world.reconcile();
        AtomicInteger calls = new AtomicInteger();
        world.store.before(call -> {
            calls.incrementAndGet();
            throw new Unavailable("down");
        });
        for (int minute = 0; minute < 12 * 60; minute++) {
            world.settleFor(Duration.ofMinutes(1));
        }
        assertThat(calls.get()).as("calls in 11 hours").isBetween(20, 11 * 60 * 8);
        world.noFaults();
        world.settleFor(Duration.ofHours(1));
        assertThat(opens(world, withdrawn)).isFalse();
    }

    private static void obstruct(World world, String obstacle) {
        switch (obstacle) {
            case "foreign Secret" -> world.editSecret(IssuedKeysTest::disown);
            case "foreign ConfigMap" -> world.editConfigMap(IssuedKeysTest::disown);
            case "deleted ConfigMap" -> {
                world.editConfigMap(
                        configMap -> configMap.getMetadata().setFinalizers(List.of("example.com/never-removed")));
                world.delete(ConfigMap.class);
            }
            case "lost Secret" -> {
                world.editSecret(secret -> secret.getMetadata().setFinalizers(List.of()));
                world.delete(Secret.class);
            }
            case "full quota" -> {
                world.refuseCreations();
                world.editConfigMap(configMap -> configMap.getMetadata().setFinalizers(List.of()));
                world.delete(ConfigMap.class);
            }
            default ->
                world.server.delete(
                        ObjectBucket.class,
                        "",
                        world.bucket().orElseThrow().getMetadata().getName());
        }
    }

    private static void disown(HasMetadata object) {
        object.getMetadata().setOwnerReferences(List.of());
    }

    @Test
    void anOptionIsRemovedWhileTheSecretWaits() {
        World world = new World(Map.of("rotationOverlap", "1h", "allowedOptions", "anonymousAccess"));
        world.claim(ObjectBucketClaimSpec.builder()
                .storageClassName(World.CLASS)
                .generateBucketName("photos")
                .additionalConfig(Map.of("anonymousAccess", "rw")));
        world.settle();
        requestRotation(world);
        world.reconcile();
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        setOptions(world, Map.of());
        world.reconcile();
        assertThat(world.store.isOpen(world.store.names().iterator().next())).isFalse();
    }

    @Test
    void tlsIsCheckedBeforeTheBucketExists() {
        World world = new World(Map.of());
        world.claim(ObjectBucketClaimSpec.builder()
                .storageClassName(World.CLASS)
                .generateBucketName("photos")
                .ssl(true));
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("TLSNotAvailable");
        assertThat(world.store.calls()).isEmpty();
        assertThat(world.bucket()).isEmpty();
    }

    @Test
    void aClaimThatRequiresTlsLaterKeepsItsCredentials() {
        World world = bound();
        world.editClaim(
                claim -> claim.setSpec(claim.getSpec().toBuilder().ssl(true).build()));
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("TLSNotAvailable");
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        requestRotation(world);
        world.settle();
        assertThat(opens(world, secret(world))).isTrue();
        assertThat(world.store.keys()).isEqualTo(1);
    }
}
