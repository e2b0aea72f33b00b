package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.controller.Problem;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
            world.claim(ObjectBucketClaimSpec.builder().storageClassName("fast").generateBucketName("photos"));
            world.editClaim(ClaimSizeTest::enlarge);
            world.settle();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
            int writes = world.writes();
            world.reconcile();
            assertThat(world.writes()).isEqualTo(writes);
            assertThat(world.store.calls()).isEmpty();
            world.editClaim(claim -> claim.getMetadata().setLabels(Map.of()));
            world.settle();
            assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        }
    }

    @Test
    void aBoundClaimThatBecomesTooLargeKeepsItsBucketAndCanBeDeleted() {
        try (World world = new World(Map.of())) {
            world.claim(ObjectBucketClaimSpec.builder()
                    .storageClassName("fast")
                    .generateBucketName("photos")
                    .additionalConfig(Map.of("maxObjects", "5")));
            world.settle();
            int calls = world.store.calls().size();
            world.editClaim(ClaimSizeTest::enlarge);
            world.settle();
            assertThat(world.ready().getReason()).isEqualTo(Problem.TOO_LARGE);
            assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
            assertThat(world.claim().orElseThrow().getMetadata().getLabels()).hasSizeGreaterThanOrEqualTo(10_000);
            assertThat(world.store.calls()).hasSize(calls);
            world.deleteClaim();
            assertThat(world.objects()).isEmpty();
            assertThat(world.store.names()).isEmpty();
        }
    }
}
