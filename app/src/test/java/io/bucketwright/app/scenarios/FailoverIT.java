package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.Component;
import io.bucketwright.local.LocalCluster;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Many claims, and while they are bound the leader, the store or the API server stops. */
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
    void whenTheLeaderIsKilledTheOtherReplicaBindsTheRestAndNothingIsCreatedTwice() throws Exception {
        try (Scenario scenario = Scenario.onClusterStore(local, "replicas", temporary);
                InstalledCommand one = scenario.starting("one");
                InstalledCommand two = scenario.starting("two")) {
            one.awaitStarted();
            two.awaitStarted();
            Scenario.await("a leader").until(() -> leader(scenario, one, two).isPresent());
            awaitSomeBound(scenario);
            InstalledCommand leader = leader(scenario, one, two).orElseThrow();
            leader.kill();
            assertThat(scenario.bound()).isLessThan(CLAIMS);

            scenario.awaitAllBound(CLAIMS);
            assertThat(leader(scenario, one, two)).isPresent().isNotEqualTo(Optional.of(leader));
            assertTheyWorkAndCanBeDeleted(scenario);
        }
    }

    @Test
    void whenTheStoreRestartsAllAreBoundAndCanBeDeleted() {
        try (Scenario scenario = Scenario.onClusterStore(local, "storeless", temporary);
                InstalledCommand controller = scenario.starting("alone")) {
            awaitSomeBound(scenario);
            local.stop(Component.S3_GATEWAY);
            local.stop(Component.S3_IAM);
            assertThat(scenario.bound()).isLessThan(CLAIMS);
            local.start(Component.S3_IAM);
            local.start(Component.S3_GATEWAY);
            scenario.awaitAllBound(CLAIMS);
            assertTheyWorkAndCanBeDeleted(scenario);
            assertThat(controller.err()).doesNotContain("ERROR");
        }
    }

    @Test
    void whenTheApiServerRestartsAllAreBoundAndNothingIsCreatedTwice() {
        try (Scenario scenario = Scenario.onClusterStore(local, "serverless", temporary);
                InstalledCommand controller = scenario.starting("alone")) {
            awaitSomeBound(scenario);
            assertThat(scenario.bound()).isLessThan(CLAIMS);
            local.stop(Component.KUBE_APISERVER);
            local.start(Component.KUBE_APISERVER);
            scenario.awaitAllBound(CLAIMS);
            // An API server that is just starting answers 403 to everybody until it has read its roles.
            int settled = controller.err().length();
            assertTheyWorkAndCanBeDeleted(scenario);
            assertThat(controller.err().substring(settled)).doesNotContainIgnoringCase("forbidden");
        }
    }

    /** Creates claims and waits until the first of them are Bound. */
    private static void awaitSomeBound(Scenario scenario) {
        scenario.claims(CLAIMS, scenario.storageClass("s3", scenario.s3Parameters()));
        Scenario.await("some to be Bound").until(() -> scenario.bound() > 0);
    }

    private static void assertTheyWorkAndCanBeDeleted(Scenario scenario) {
        scenario.assertNoDuplicates();
        assertThat(IntStream.of(0, CLAIMS / 4, CLAIMS / 2, CLAIMS - 1).mapToObj(i -> "mine-" + i))
                .allMatch(scenario::works);
        scenario.deleteAll();
        scenario.assertNothingIsLeft();
    }

    private static Optional<InstalledCommand> leader(Scenario scenario, InstalledCommand... replicas) {
        String holder = scenario.leaseHolder();
        return Stream.of(replicas)
                .filter(replica -> holder.startsWith(replica.name() + "-"))
                .findFirst();
    }
}
