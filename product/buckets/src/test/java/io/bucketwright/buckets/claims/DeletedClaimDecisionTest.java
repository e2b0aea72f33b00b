package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimStep.ReleaseMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeletedClaimDecisionTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "Recycle", "delete", "erase everything"})
    void aBucketWithAnUnknownPolicyIsRetained(String policy) {
        assertThat(DeletedClaimDecision.mode(intent(BucketOrigin.NEW.text(), policy)))
                .isEqualTo(ReleaseMode.RETAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "new", "Borrowed"})
    void aBucketOfUnknownOriginIsNotDeleted(String origin) {
        assertThat(DeletedClaimDecision.mode(intent(origin, "Delete"))).isEqualTo(ReleaseMode.UNADOPT);
    }

    private static BucketIntent intent(String origin, String policy) {
        return new BucketIntent(
                BucketIntent.CURRENT,
                "test.io/bucket",
                "fast",
                "class-1",
                Map.of(),
                origin,
                "b-1",
                policy,
                "team",
                "mine",
                "uid-1",
                Map.of());
    }

    @Test
    void aClaimWhoseDeletionWaitsKeepsItsPhaseAndIsNotReady() {
        World world = World.settled(Map.of(), spec().bucketName("photos"));
        world.store.fill("photos", 1);
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.ready().getReason()).isEqualTo("BucketNotEmpty");
        assertThat(world.ready().getStatus()).isEqualTo("False");
        assertThat(world.phase())
                .as("ObjectBucket, bucket and keys still exist")
                .isEqualTo(Phase.BOUND);
        assertThat(world.store.opens(world.published(), "photos")).isTrue();
        world.store.fill("photos", 0);
        world.settle();
        assertThat(world.objects()).isEmpty();
    }

    @Test
    void aPurgeThatTakesLongIsReportedWithRoundCounts() {
        World world = purged(45);
        List<String> reasons = new ArrayList<>();
        world.store.before(call -> {
            if (call.equals("delete")) {
                reasons.add(world.ready().getReason() + " "
                        + world.phase() + " "
                        + world.ready().getMessage().replaceAll("\\D", ""));
            }
        });
        int writes = world.writes();
        world.assertDeletable();
        assertThat(reasons)
                .containsExactly(
                        "Bound Bound ",
                        "Deleting Bound 10",
                        "Deleting Bound 20",
                        "Deleting Bound 20",
                        "Deleting Bound 20");
        assertThat(world.writes() - writes).as("eight, and one for each count").isEqualTo(10);
        assertThat(world.events("Deleting"))
                .allSatisfy(message -> assertThat(message).contains("bucket photos"));
    }

    @Test
    void theCountsOfAVeryLongPurgeAreReportedSeldom() {
        LongStream reported = LongStream.rangeClosed(1, 1_000_000)
                .map(DeletedClaimDecision::atLeast)
                .distinct();
        assertThat(reported.mapToObj(Long::toString).collect(Collectors.joining(" ")))
                .isEqualTo("1 2 5 10 20 50 100 200 500 1000 2000 5000 10000 20000 50000"
                        + " 100000 200000 300000 400000 500000 600000 700000 800000 900000 1000000");
    }

    @Test
    void aPurgeThatTakesOneCallIsNotReported() {
        World world = purged(5);
        int writes = world.writes();
        world.assertDeletable();
        assertThat(world.writes() - writes).isEqualTo(8);
        assertThat(world.events()).doesNotContain("Deleting");
    }

    private static World purged(long objects) {
        World world = World.settled(Map.of("onNotEmpty", "purge"), spec().bucketName("photos"));
        world.store.fill("photos", objects);
        return world;
    }
}
