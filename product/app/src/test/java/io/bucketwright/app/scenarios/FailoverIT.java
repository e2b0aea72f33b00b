package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.server.Component;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Many claims, and while they are bound the leader, the store or the API server stops. */
@ResourceLock("hundreds of claims")
@OnCluster(with = AddOn.S3, own = true)
@Order(1)
class FailoverIT extends ScenarioTestBase {

    private static final int MANY = 200;

    /** So many that not all of them are Bound before the second restart. */
    private static final int SOME = 100;

    @Override
    @BeforeEach
    void open(TestCluster cluster) {
        scenario = Scenario.onClusterStore(cluster, folder);
    }

    @Test
    void whenTheLeaderIsKilledTheOtherReplicaBindsTheRestAndNothingIsCreatedTwice() throws Exception {
        try (InstalledCommand one = scenario.starting("one");
                InstalledCommand two = scenario.starting("two")) {
            one.awaitStarted();
            two.awaitStarted();
            Scenario.await("a leader").until(() -> leader(one, two).isPresent());
            awaitSomeBound(MANY);
            InstalledCommand leader = leader(one, two).orElseThrow();
            leader.kill();
            assertThat(scenario.bound()).isLessThan(MANY);

            scenario.awaitAllBound(MANY);
            assertThat(leader(one, two)).isPresent().isNotEqualTo(Optional.of(leader));
            assertTheyWorkAndCanBeDeleted(MANY);
        }
    }

    /** One after the other with the same claims: to bind and delete them takes longer than both restarts. */
    @Test
    void whenTheStoreAndThenTheApiServerRestartAllAreBoundAndNothingIsCreatedTwice(TestCluster cluster) {
        try (InstalledCommand controller = scenario.starting("alone")) {
            awaitSomeBound(SOME);
            cluster.local().stop(Component.S3_GATEWAY);
            cluster.local().stop(Component.S3_IAM);
            long boundBefore = scenario.bound();
            assertThat(boundBefore).isLessThan(SOME);
            cluster.local().start(Component.S3_IAM);
            cluster.local().start(Component.S3_GATEWAY);
            Scenario.await("more to be Bound").until(() -> scenario.bound() > boundBefore);
            assertThat(controller.err()).doesNotContain("ERROR");

            assertThat(scenario.bound()).isLessThan(SOME);
            cluster.local().stop(Component.KUBE_APISERVER);
            cluster.local().start(Component.KUBE_APISERVER);
            scenario.awaitAllBound(SOME);
            // An API server that is just starting answers 403 to everybody until it has read its roles.
            int settled = controller.err().length();
            assertTheyWorkAndCanBeDeleted(SOME);
            assertThat(controller.err().substring(settled))
                    .doesNotContainIgnoringCase("forbidden")
                    .doesNotContain("ERROR");
        }
    }

    /** Creates claims and waits until the first of them are Bound. */
    private void awaitSomeBound(int claims) {
        scenario.claims(claims, scenario.s3Class("s3"));
        Scenario.await("some to be Bound").until(() -> scenario.bound() > 0);
    }

    private void assertTheyWorkAndCanBeDeleted(int claims) {
        scenario.assertNoDuplicates();
        assertThat(IntStream.of(0, claims / 4, claims / 2, claims - 1).mapToObj(i -> "mine-" + i))
                .allMatch(scenario::works);
        scenario.assertAllCanBeDeleted();
    }

    private Optional<InstalledCommand> leader(InstalledCommand... replicas) {
        String holder = scenario.leaseHolder();
        return Stream.of(replicas)
                .filter(replica -> holder.startsWith(replica.name() + "-"))
                .findFirst();
    }
}
