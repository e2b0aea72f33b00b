package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.testing.Eventually;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Revoked and released are said only if the store confirmed it, and what was left alone is reported. */
class RevokedAccessTest {

    private static final Duration ENDING = Duration.ofMinutes(7);

    private static World bound(Map<String, String> parameters) {
        World world = new World(parameters);
        world.bind(spec().bucketName("photos"));
        return world;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Erase", "Retain"})
    void aBucketIsGivenToOthersOnlyAfterTheServiceRefusesItsFormerKeys(String policy) {
        try (World world = bound(Map.of("reclaimPolicy", policy))) {
            world.store.accessEndsWithin(ENDING);
            world.store.fill("photos", 3);
            world.delete(ObjectBucketClaim.class);
            world.settleFor(ENDING.minusSeconds(1));
            assertThat(world.store.count("revoke")).isEqualTo(1);
            assertThat(world.store.count("erase")).isZero();
            assertThat(world.store.tag("photos")).doesNotStartWith("released:");
            world.assertReady("Deleting", "420 seconds");
            world.settleFor(World.SECOND);
            world.settle();
            assertThat(world.objects()).isEmpty();
            assertThat(world.store.count("revoke")).isGreaterThan(1);
            assertThat(world.store.tag("photos")).startsWith("released:");
        }
    }

    @Test
    void aRestartDoesNotShortenTheWait() {
        try (World world = bound(Map.of("reclaimPolicy", "Erase"))) {
            world.store.accessEndsWithin(ENDING);
            world.delete(ObjectBucketClaim.class);
            world.settleFor(ENDING.minusSeconds(1));
            world.restart();
            world.settleFor(ENDING.minusSeconds(1));
            assertThat(world.store.count("erase")).isZero();
            assertThat(world.store.tag("photos")).doesNotStartWith("released:");
            world.settle();
            assertThat(world.objects()).isEmpty();
            assertThat(world.store.tag("photos")).startsWith("released:");
        }
    }

    @Test
    void theWaitBeginsWhenTheStoreHasConfirmedTheEndOfAccess() {
        try (World world = bound(Map.of("reclaimPolicy", "Retain"))) {
            world.store.accessEndsWithin(ENDING);
            world.store.before(call -> {
                if (call.equals("revoke") && world.store.count("revoke") == 1) {
                    world.time.advance(Duration.ofSeconds(25));
                }
            });
            world.delete(ObjectBucketClaim.class);
            world.settleFor(ENDING.minusSeconds(1));
            assertThat(world.store.count("revoke")).isEqualTo(1);
            assertThat(world.store.tag("photos")).doesNotStartWith("released:");
            world.settle();
            assertThat(world.store.tag("photos")).startsWith("released:");
        }
    }

    @Test
    void aBucketThatIsDeletedWaitsForNobody() {
        try (World world = bound(Map.of("onNotEmpty", "purge"))) {
            world.store.accessEndsWithin(ENDING);
            world.delete(ObjectBucketClaim.class);
            world.settleFor(World.SECOND);
            world.assertNothingLeft();
        }
    }

    /** An earlier claim had to keep the bucket; the class of today would delete it. */
    private static World keeping(Map<String, String> options) {
        World world = bound(Map.of("reclaimPolicy", "Retain"));
        world.replaceClass(Map.of("allowedOptions", "anonymousAccess"));
        world.stop();
        world.restoreClaim();
        world.settleOptions(options);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        return world;
    }

    @Test
    void aBucketThatIsKeptAlthoughThePolicyIsDeleteIsClosed() {
        try (World world = keeping(Map.of("anonymousAccess", "rw"))) {
            assertThat(world.store.isOpen("photos")).isTrue();
            world.assertDeletable();
            assertThat(world.store.isOpen("photos")).isFalse();
            assertThat(world.store.tag("photos")).startsWith("released:");
        }
    }

    @Test
    void aBucketThatIsKeptAlthoughThePolicyIsDeleteIsGivenToOthersOnlyAfterTheServiceRefusesItsFormerKeys() {
        try (World world = keeping(Map.of())) {
            world.store.accessEndsWithin(ENDING);
            world.delete(ObjectBucketClaim.class);
            world.settleFor(ENDING.minusSeconds(1));
            assertThat(world.store.principals()).isZero();
            assertThat(world.store.tag("photos")).doesNotStartWith("released:");
            world.settleFor(World.SECOND);
            world.settle();
            assertThat(world.objects()).isEmpty();
            assertThat(world.store.tag("photos")).startsWith("released:");
            assertThat(world.kinds("BucketKept")).containsExactlyInAnyOrder("ObjectBucket", "ObjectBucketClaim");
        }
    }

    /** The leader changes after the store has released the bucket and before the ObjectBucket is deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Erase", "Delete"})
    void aBucketThatAnEarlierProcessReleasedIsNotReportedAsKept(String policy) {
        try (World world =
                bound(Map.of("reclaimPolicy", policy, "allowedOptions", "anonymousAccess", "anonymousAccess", "rw"))) {
            if (policy.equals("Delete")) {
                world.store.keep("photos");
            }
            world.store.after(call -> {
                if (call.equals("release")) {
                    world.crashAt(1, false);
                }
            });
            world.delete(ObjectBucketClaim.class);
            world.reconcile();
            assertThat(world.store.tag("photos")).startsWith("released:");
            assertThat(world.bucket()).isPresent();
            world.noFaults();
            world.settle();
            assertThat(world.objects()).isEmpty();
            assertThat(world.kinds("BucketKept")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Retain", "Suspend"})
    void aUserThatIsNotProvablyOursIsReportedAndItsPublishedKeysAreDeleted(String policy) {
        try (World world = bound(Map.of("reclaimPolicy", policy))) {
            assertThat(world.store.keys()).isNotZero();
            world.store.loseTagsOfPrincipals();
            world.delete(ObjectBucketClaim.class);
            world.settleFor(World.SECOND);
            assertThat(world.store.keys()).as("the key in the Secret").isZero();
            world.assertReady("StoreDenied", "is not deleted", "no longer names its owner");
            world.awaitEvent("StoreDenied");
            assertThat(world.store.tag("photos")).doesNotStartWith("released:");
            world.editBucket(bucket -> {
                Map<String, String> annotations =
                        new HashMap<>(bucket.getMetadata().getAnnotations());
                annotations.put(ObjectBucketNames.ABANDON_ANNOTATION, "true");
                bucket.getMetadata().setAnnotations(annotations);
            });
            world.settle();
            assertThat(world.objects()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Erase", "Retain"})
    void aBucketWithoutTagsIsKeptAndThatIsReported(String policy) {
        try (World world = bound(Map.of("reclaimPolicy", policy, "onNotEmpty", "purge"))) {
            world.store.fill("photos", 3);
            world.store.loseTags("photos");
            world.delete(ObjectBucketClaim.class);
            world.settle();
            assertThat(world.objects()).isEmpty();
            assertThat(world.store.names()).containsExactly("photos");
            assertThat(world.store.principals()).isZero();
            Eventually.await("the events")
                    .until(() -> world.kinds("BucketKept").contains("ObjectBucket")
                            && world.kinds("BucketKept").contains("ObjectBucketClaim"));
            assertThat(world.events("BucketKept"))
                    .allSatisfy(text -> assertThat(text).contains("Bucket photos was kept in the store"));
        }
    }

    @Test
    void verificationReportsLostTags() {
        try (World world = new World(Map.of("reclaimPolicy", "Delete"))) {
            world.verifyEvery(Duration.ofHours(1));
            world.restart();
            world.claim(spec().bucketName("photos"));
            world.settleFor(World.SECOND);
            world.store.loseTags("photos");
            world.settleFor(Duration.ofHours(1));
            world.assertReady("TagsMissing", "photos", "no ownership tags");
            assertThat(world.phase()).isEqualTo(Phase.BOUND);
        }
    }

    @Test
    void theAdviceAboutABucketThatIsNotEmptyIsTrue() {
        try (World world = bound(Map.of("reclaimPolicy", "Delete"))) {
            world.store.fill("photos", 3);
            world.delete(ObjectBucketClaim.class);
            world.settleFor(World.SECOND);
            assertThat(world.ready().getReason()).isEqualTo("BucketNotEmpty");
            assertThat(world.ready().getMessage())
                    .contains("Empty it", ObjectBucketNames.ON_NOT_EMPTY_ANNOTATION, "is for new claims only")
                    .doesNotContain("set onNotEmpty");
        }
    }
}
