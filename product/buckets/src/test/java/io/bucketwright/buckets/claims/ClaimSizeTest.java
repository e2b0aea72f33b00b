package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim that is too large for the cache is not served. It is served when it is smaller, and can always be deleted. */
class ClaimSizeTest {

    private static final Map<String, String> LABELS =
            IntStream.range(0, 10_000).boxed().collect(Collectors.toMap(number -> "l" + number, _ -> ""));

    private static void enlarge(ObjectBucketClaim claim) {
        claim.getMetadata().setLabels(LABELS);
    }

    @Test
    void aClaimThatIsTooLargeIsReportedOnceAndServedWhenItIsSmaller() {
        try (World world = new World(Map.of())) {
            world.claim(photos());
            world.editClaim(ClaimSizeTest::enlarge);
            world.settle();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
            int writes = world.writes();
            world.reconcile();
            assertThat(world.writes()).isEqualTo(writes);
            assertThat(world.store.calls()).isEmpty();
            world.editClaim(claim -> claim.getMetadata().setLabels(Map.of()));
            world.settle();
            assertThat(world.phase()).isEqualTo(Phase.BOUND);
        }
    }

    @Test
    void aBoundClaimThatBecomesTooLargeKeepsItsBucketAndCanBeDeleted() {
        try (World world = new World(Map.of())) {
            world.settle(photos().additionalConfig(Map.of("maxObjects", "5")));
            int calls = world.store.calls().size();
            world.editClaim(ClaimSizeTest::enlarge);
            world.settle();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
            assertThat(world.phase()).isEqualTo(Phase.BOUND);
            assertThat(world.claim().orElseThrow().getMetadata().getLabels()).hasSizeGreaterThanOrEqualTo(10_000);
            assertThat(world.store.calls()).hasSize(calls);
            world.deleteClaim();
            world.assertNothingLeft();
        }
    }

    /** Otherwise whoever may edit the claim keeps a withdrawn key as long as they like. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theOverlapOfARotationEndsAlsoIfTheClaimIsTooLarge(boolean restarted) {
        try (World world = new World(Map.of("rotationOverlap", "1h"))) {
            Secret withdrawn = rotated(world);
            world.editClaim(ClaimSizeTest::enlarge);
            world.reconcile();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
            assertThat(world.opens(withdrawn)).as("during the overlap").isTrue();
            if (restarted) {
                world.restart();
            }
            world.settle();
            assertThat(world.opens(withdrawn)).as("after the overlap").isFalse();
            assertThat(world.opens(world.published())).isTrue();
            assertThat(world.grants().ending()).isEmpty();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
        }
    }

    /** A rotation of which only the Secret is written: its key is recorded first, and is not deleted with the others. */
    @Test
    void theKeyInTheSecretOfAClaimThatIsTooLargeIsKept() {
        try (World world = new World(Map.of("rotationOverlap", "1h"))) {
            world.bind(photos());
            Secret withdrawn = world.published();
            world.crashAt(2, false);
            world.rotate();
            assertThat(world.published().getData()).isNotEqualTo(withdrawn.getData());
            world.editClaim(ClaimSizeTest::enlarge);
            world.settle();
            assertThat(world.opens(world.published())).isTrue();
            assertThat(world.opens(withdrawn)).isFalse();
        }
    }

    /** Its user could use a bucket that somebody else created under the same name. */
    @Test
    void accessToABucketThatHasAnotherOwnerNowEndsAlsoIfTheClaimIsTooLarge() {
        try (World world = new World(Map.of())) {
            world.verifyEvery(Duration.ofHours(1));
            world.restart();
            world.reconcile(photos());
            Secret secret = world.published();
            world.editClaim(ClaimSizeTest::enlarge);
            world.reconcile();
            String name = world.bucketName();
            world.store.replace(name, "cluster-1/somebody");
            world.settleFor(Duration.ofHours(1));
            world.settleFor(VerificationDecision.CONFIRM);
            assertThat(world.store.opens(secret, name)).isFalse();
            assertThat(world.ready().getReason()).isEqualTo(ClaimReason.BUCKET_REPLACED);
        }
    }

    /** The Secret from before a rotation, whose overlap begins. */
    private static Secret rotated(World world) {
        world.bind(photos());
        Secret before = world.published();
        world.rotate();
        assertThat(world.published().getData()).isNotEqualTo(before.getData());
        return before;
    }
}
