package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many claims for one bucket name: one has it, the others are refused, and each of them can always be deleted. */
class BucketTakenIT extends ScenarioTestBase {

    private static final int RIVALS = 8;
    private static final int ROUNDS = 4;

    @Test
    void whoIsRefusedAnothersBucketIsDeletedWhileItsOwnerLives() {
        scenario.serve();
        String storageClass = scenario.s3Class("s3");
        scenario.bind("owner", named(storageClass));
        Map<String, String> tags = scenario.store().tagsOf("wanted-by-all");
        Scenario.inParallel(RIVALS, rival -> {
            for (int round = 0; round < ROUNDS; round++) {
                String name = "thief-" + rival + "-" + round;
                scenario.claim(name, named(storageClass));
                scenario.awaitReason(name, "BucketTaken");
                scenario.delete(name);
            }
        });
        assertThat(scenario.store().tagsOf("wanted-by-all")).isEqualTo(tags);
        assertThat(scenario.works("owner")).isTrue();
        scenario.assertNoDuplicates();
        scenario.assertAllCanBeDeleted();
    }

    @Test
    void rivalsThatComeAndGoAreEachBoundOrRefusedAndEachDeletionEnds() {
        scenario.serve();
        String storageClass = scenario.s3Class("s3");
        AtomicInteger bound = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Scenario.inParallel(RIVALS, rival -> {
            for (int round = 0; round < ROUNDS; round++) {
                String name = "rival-" + rival + "-" + round;
                scenario.claim(name, named(storageClass));
                Scenario.await(name + " to be bound or refused").until(() -> isSettled(name));
                (scenario.isBound(name) ? bound : refused).incrementAndGet();
                scenario.delete(name);
            }
        });
        assertThat(bound.get()).isPositive();
        assertThat(bound.get() + refused.get()).isEqualTo(RIVALS * ROUNDS);
        assertThat(scenario.objectBuckets()).isEmpty();
        scenario.assertNothingIsLeft();
    }

    private boolean isSettled(String name) {
        return scenario.isBound(name) || scenario.ready(name).startsWith("BucketTaken: ");
    }

    private static ObjectBucketClaimSpec.Builder named(String storageClass) {
        return Scenario.bucketNamed(storageClass, "wanted-by-all");
    }
}
