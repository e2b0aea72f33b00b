package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many claims for one bucket name: one has it, the others are refused, and each of them can always be deleted. */
@OnCluster
class BucketTakenIT {

    private static final int RIVALS = 8;
    private static final int ROUNDS = 4;

    @TempDir
    private Path temporary;

    @Test
    void whoIsRefusedAnothersBucketIsDeletedWhileItsOwnerLives(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(scenario.account())) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            scenario.claim("owner", named(storageClass));
            scenario.awaitBound("owner");
            Map<String, String> tags = scenario.store().tagsOf("wanted-by-all");
            Scenario.inParallel(RIVALS, rival -> {
                for (int round = 0; round < ROUNDS; round++) {
                    String name = "thief-" + rival + "-" + round;
                    scenario.claim(name, named(storageClass));
                    scenario.awaitReason(name, "BucketTaken");
                    scenario.at(name).delete();
                    scenario.awaitDeleted(name);
                }
            });
            assertThat(scenario.store().tagsOf("wanted-by-all")).isEqualTo(tags);
            assertThat(scenario.works("owner")).isTrue();
            scenario.assertNoDuplicates();
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void rivalsThatComeAndGoAreEachBoundOrRefusedAndEachDeletionEnds(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(scenario.account())) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            AtomicInteger bound = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            Scenario.inParallel(RIVALS, rival -> {
                for (int round = 0; round < ROUNDS; round++) {
                    String name = "rival-" + rival + "-" + round;
                    scenario.claim(name, named(storageClass));
                    Scenario.await(name + " to be bound or refused").until(() -> isSettled(scenario, name));
                    (scenario.isBound(name) ? bound : refused).incrementAndGet();
                    scenario.at(name).delete();
                    scenario.awaitDeleted(name);
                }
            });
            assertThat(bound.get()).isPositive();
            assertThat(bound.get() + refused.get()).isEqualTo(RIVALS * ROUNDS);
            assertThat(scenario.objectBuckets()).isEmpty();
            scenario.assertNothingIsLeft();
        }
    }

    private static boolean isSettled(Scenario scenario, String name) {
        return scenario.isBound(name) || scenario.ready(name).startsWith("BucketTaken: ");
    }

    private static ObjectBucketClaimSpec.Builder named(String storageClass) {
        return Scenario.bucketNamed(storageClass, "wanted-by-all");
    }
}
