package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.Component;
import io.bucketwright.local.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two hundred claims, and in the middle of them something goes away: the leader, the store, the API server. */
@ResourceLock("hundreds of claims")
class FailoverIT {

    private static final int CLAIMS = 200;
    private static final LocalCluster local =
            LocalCluster.builder().with(AddOn.S3).start();

    @TempDir
    private Path temporary;

    @AfterAll
    static void down() {
        local.close();
    }

    @Test
    void whenTheLeaderIsKilledTheOtherReplicaBindsTheRestAndNothingIsMadeTwice() throws Exception {
        try (Scenario scenario = Scenario.onClusterStore(local, "replicas", temporary);
                CommandProcess one = scenario.controller("one");
                CommandProcess two = scenario.controller("two")) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            Scenario.await("a leader").until(() -> leader(scenario, one, two).isPresent());
            scenario.claims(CLAIMS, storageClass);
            awaitTheMiddle(scenario);
            CommandProcess leader = leader(scenario, one, two).orElseThrow();
            leader.kill();
            assertThat(scenario.bound()).isLessThan(CLAIMS);

            scenario.awaitAllBound(CLAIMS);
            assertThat(leader(scenario, one, two)).isPresent().isNotEqualTo(Optional.of(leader));
            scenario.assertNoDuplicates();
            assertThat(List.of("mine-0", "mine-57", "mine-120", "mine-199")).allMatch(scenario::works);
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void whenTheStoreGoesAwayAndComesBackAllAreBoundAndAllCanBeDeleted() {
        try (Scenario scenario = Scenario.onClusterStore(local, "storeless", temporary);
                CommandProcess controller = scenario.controller("alone")) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            scenario.claims(CLAIMS, storageClass);
            awaitTheMiddle(scenario);
            local.stop(Component.S3_GATEWAY);
            local.stop(Component.S3_IAM);
            assertThat(scenario.bound()).isLessThan(CLAIMS);
            local.start(Component.S3_IAM);
            local.start(Component.S3_GATEWAY);
            scenario.awaitAllBound(CLAIMS);
            scenario.assertNoDuplicates();
            assertThat(List.of("mine-1", "mine-100", "mine-198")).allMatch(scenario::works);
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
            assertThat(controller.log()).doesNotContain("ERROR");
        }
    }

    @Test
    void whenTheApiServerRestartsAllAreBoundAndNothingIsMadeTwice() {
        try (Scenario scenario = Scenario.onClusterStore(local, "serverless", temporary);
                CommandProcess controller = scenario.controller("alone")) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            scenario.claims(CLAIMS, storageClass);
            awaitTheMiddle(scenario);
            assertThat(scenario.bound()).isLessThan(CLAIMS);
            local.stop(Component.KUBE_APISERVER);
            local.start(Component.KUBE_APISERVER);
            scenario.awaitAllBound(CLAIMS);
            // An API server that is just starting answers 403 to everybody until it has read its roles.
            int settled = controller.log().length();
            scenario.assertNoDuplicates();
            assertThat(List.of("mine-2", "mine-101", "mine-197")).allMatch(scenario::works);
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
            assertThat(controller.log().substring(settled)).doesNotContainIgnoringCase("forbidden");
        }
    }

    private static void awaitTheMiddle(Scenario scenario) {
        Scenario.await("some to be Bound").until(() -> scenario.bound() > 0);
    }

    private static Optional<CommandProcess> leader(Scenario scenario, CommandProcess... replicas) {
        String holder = scenario.leaseHolder();
        return List.of(replicas).stream()
                .filter(replica -> holder.startsWith(replica.name() + "-"))
                .findFirst();
    }
}
