package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
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
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        return world;
    }

    private static World pending() {
        World world = new World(Map.of("rotationOverlap", "1h"));
        world.claim(photos());
        return world;
    }

    @Test
    void invalidOptionsStopNeitherRotationNorTheEndOfThePreviousKey() {
        World world = bound();
        Secret first = world.published();
        world.setOptions(Map.of("nonsense", "1"));
        world.rotate();
        Secret second = world.published();
        assertThat(second.getData()).isNotEqualTo(first.getData());
        assertThat(world.opens(first)).as("during the overlap").isTrue();
        world.settle();
        assertThat(world.opens(first)).as("after the overlap").isFalse();
        assertThat(world.opens(second)).isTrue();
        assertThat(world.ready().getReason()).isEqualTo("OptionsNotApplied");
    }

    @Test
    void invalidOptionsDoNotStopTheRepairOfASecret() {
        World world = bound();
        world.settleOptions(Map.of("nonsense", "1"));
        world.delete(Secret.class);
        world.settle();
        assertThat(Metadata.isBeingDeleted(world.published())).isFalse();
        world.forceDelete(Secret.class);
        world.settle();
        assertThat(world.opens(world.published())).isTrue();
    }

    /** Writes 3 to 5 are those of Secret, ConfigMap and ObjectBucket. */
    @ParameterizedTest
    @CsvSource({"3, true", "4, false", "4, true", "5, false"})
    void theKeyInASecretIsRecordedAfterACrashAndNoSecondOneIsLeft(int write, boolean after) {
        World world = pending();
        world.crashAt(write, after);
        world.reconcile();
        Secret read = world.published();
        world.reconcile();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.published().getData())
                .as("the key that pods have read")
                .isEqualTo(read.getData());
        assertThat(world.opens(read)).isTrue();
        world.settleFor(World.SECOND.multipliedBy(30));
        assertThat(world.store.keys()).as("long before the end of an overlap").isEqualTo(1);
        assertThat(world.opens(read)).isTrue();
    }

    /** Access ends with the ObjectBucket, so the key in the Secret may have ended. */
    @Test
    void theKeyFromBeforeALostBucketIsNotRecorded() {
        World world = pending();
        world.crashAt(5, false);
        world.reconcile();
        world.forceDeleteBucket();
        world.store.deleteKeys();
        world.settle();
        assertThat(world.bucket()).isPresent();
        assertThat(world.opens(world.published())).isTrue();
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
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.setOptions(Map.of("renameKeys", "ACCESS_KEY_ID=USER"));
        world.reconcile();
        assertThat(world.published().getData()).containsKey("USER");
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void theKeyInAnEditedSecretSurvivesACrashBeforeTheBucketIsComplete() {
        World world = pending();
        world.crashAt(5, false);
        world.reconcile();
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        assertThat(world.phase()).isEqualTo(Phase.PENDING);
        Secret read = world.published();
        world.reconcile();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.opens(read)).as("the key that pods have read").isTrue();
        assertThat(world.opens(world.published())).isTrue();
        world.settle();
        assertThat(world.store.keys()).as("after the overlap").isEqualTo(1);
        assertThat(world.opens(world.published())).isTrue();
    }

    @Test
    void aCrashDuringARotationKeepsBothKeys() {
        World world = bound();
        Secret first = world.published();
        world.requestRotation();
        world.crashAt(2, false);
        world.reconcile();
        Secret second = world.published();
        assertThat(second.getData()).isNotEqualTo(first.getData());
        world.reconcile();
        assertThat(world.published().getData()).as("no third key").isEqualTo(second.getData());
        assertThat(world.opens(first)).isTrue();
        assertThat(world.opens(second)).isTrue();
        world.settle();
        assertThat(world.store.keys()).isEqualTo(1);
        assertThat(world.opens(second)).isTrue();
    }

    @Test
    void aSecretFromBeforeARotationThatIsPutBackDoesNotBecomeTheRecord() {
        World world = bound();
        Secret former = world.published();
        world.requestRotation();
        world.settle();
        assertThat(world.opens(former)).isFalse();
        world.editSecret(secret -> {
            secret.setData(former.getData());
            secret.getMetadata().setAnnotations(former.getMetadata().getAnnotations());
        });
        world.settle();
        assertThat(world.opens(world.published())).isTrue();
        assertThat(world.store.keys()).isEqualTo(1);
    }

    /** Whoever may edit the Secret knows its format. A withdrawn key must not become the recorded one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWithdrawnKeyEndsWhateverTheSecretSaysAboutIt(boolean firstAnother) {
        World world = bound();
        Secret withdrawn = world.published();
        String withdrawnId = world.grants().keyId();
        world.rotate();
        assertThat(world.opens(withdrawn)).as("during the overlap").isTrue();
        if (firstAnother) {
            ClaimGrantsTest.forge(world, Map.of("AWS_ACCESS_KEY_ID", "Tk9ORQ=="), "NONE");
        }
        ClaimGrantsTest.forge(world, withdrawn.getData(), withdrawnId);
        world.settleFor(Duration.ofMinutes(59));
        for (int edit = 0; edit < 20; edit++) {
            ClaimGrantsTest.forge(world, withdrawn.getData(), withdrawnId);
            ClaimGrantsTest.forge(world, Map.of("AWS_ACCESS_KEY_ID", "Tk9ORQ=="), "NONE-" + edit);
        }
        assertThat(world.grants().ledger().grants()).as("a bounded record").hasSizeLessThan(5);
        world.settleFor(Duration.ofMinutes(2));
        assertThat(world.opens(withdrawn)).as("after the overlap").isFalse();
        world.forceDelete(Secret.class);
        world.settle();
        assertThat(world.opens(world.published())).isTrue();
        assertThat(world.store.keys()).isEqualTo(1);
        world.assertDeletable();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEditDuringTheOverlapDoesNotEndThePreviousKey(boolean secretEdited) {
        World world = bound();
        Secret first = world.published();
        world.rotate();
        if (secretEdited) {
            world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        } else {
            world.setOptions(Map.of("renameKeys", "ACCESS_KEY_ID=USER"));
        }
        world.reconcile();
        assertThat(world.opens(first)).as("the previous key").isTrue();
        assertThat(world.ready().getReason()).isEqualTo("WaitingForPreviousKey");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.settle();
        assertThat(world.opens(first)).isFalse();
        assertThat(world.opens(world.published())).isTrue();
        assertThat(world.published().getData().containsKey("USER")).isEqualTo(!secretEdited);
        assertThat(world.store.keys()).isEqualTo(1);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    /** As on a node whose clock was behind during the rotation: the recorded end of the overlap is then too early. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClockThatIsSetForwardDoesNotEndTheOverlap(boolean anotherRequested) {
        World world = bound();
        Secret first = world.published();
        world.time.setWall(Duration.ofHours(-2));
        world.rotate();
        world.time.setWall(Duration.ZERO);
        if (anotherRequested) {
            world.requestRotation();
        }
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        world.reconcile();
        world.settleFor(Duration.ofMinutes(55));
        assertThat(world.opens(first)).as("during the overlap").isTrue();
        world.settleFor(Duration.ofMinutes(10));
        assertThat(world.opens(first)).as("after the overlap").isFalse();
        assertThat(world.opens(world.published())).isTrue();
    }

    /** Whoever may edit the objects of a namespace must not keep a withdrawn key with them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"foreign Secret", "foreign ConfigMap", "deleted ConfigMap", "full quota", "deleted ObjectBucket"
            })
    void nothingThatAClaimWaitsForKeepsThePreviousKeyAlive(String obstacle) {
        World world = bound();
        Secret withdrawn = world.published();
        world.rotate();
        Secret current = world.published();
        obstruct(world, obstacle);
        world.reconcile();
        assertThat(world.opens(withdrawn)).as("during the overlap").isTrue();
        world.settleFor(Duration.ofMinutes(61));
        assertThat(world.opens(withdrawn)).as("after the overlap").isFalse();
        assertThat(world.opens(current)).isTrue();
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
        Secret withdrawn = world.published();
        world.rotate();
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
        assertThat(world.opens(withdrawn)).isFalse();
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
                world.forceDelete(Secret.class);
            }
            case "full quota" -> {
                world.refuseCreations();
                world.forceDelete(ConfigMap.class);
            }
            default -> world.deleteBucket();
        }
    }

    private static void disown(HasMetadata object) {
        object.getMetadata().setOwnerReferences(List.of());
    }

    @Test
    void anOptionIsRemovedWhileTheSecretWaits() {
        World world = World.settled(
                Map.of("rotationOverlap", "1h", "allowedOptions", "anonymousAccess"),
                photos().additionalConfig(Map.of("anonymousAccess", "rw")));
        world.rotate();
        world.editSecret(secret -> secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc="));
        world.setOptions(Map.of());
        world.reconcile();
        assertThat(world.store.isOpen(world.bucketName())).isFalse();
    }

    @Test
    void tlsIsCheckedBeforeTheBucketExists() {
        World world = World.settled(Map.of(), photos().ssl(true));
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
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.requestRotation();
        world.settle();
        assertThat(world.opens(world.published())).isTrue();
        assertThat(world.store.keys()).isEqualTo(1);
    }
}
