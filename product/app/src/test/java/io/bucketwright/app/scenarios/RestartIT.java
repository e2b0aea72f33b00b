package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A fresh process over many bound claims. The cluster is its own: so many objects take long to clear away. */
@ResourceLock("hundreds of claims")
@OnCluster(with = AddOn.S3, own = true)
@Order(2)
class RestartIT {

    /** A page of a list has 500 objects. */
    private static final int MORE_THAN_A_PAGE = 510;

    @TempDir
    private Path temporary;

    @Test
    void aRestartWithMoreBoundClaimsThanAPageHoldsCostsNoRequestForAnyClaim(TestCluster cluster) {
        Scenario scenario = Scenario.onClusterStore(cluster, temporary);
        String storageClass = scenario.storageClass("none", Map.of());
        try (InstalledCommand _ = scenario.controller("first", "--store=none")) {
            scenario.claims(MORE_THAN_A_PAGE, storageClass);
            scenario.awaitAllBound(MORE_THAN_A_PAGE);
        }
        RequestCounts restart = restart(cluster, scenario, "--store=none");
        assertThat(restart.writes()).as("%s", restart).isZero();
        assertThat(restart.events()).as("%s", restart).isZero();
        assertThat(objectsRead(restart)).as("%s", restart).isZero();
        assertThat(restart.lists()).as("%s", restart).isLessThan(20);
    }

    @Test
    void aRestartWithBucketsOnTheStoreDoesNotCallTheStore(TestCluster cluster) throws Exception {
        Scenario scenario = Scenario.onClusterStore(cluster, temporary);
        try (StoreProxy s3 = StoreProxy.plain(scenario.access().endpoint());
                StoreProxy iam = StoreProxy.plain(scenario.access().iamEndpoint())) {
            String storageClass =
                    scenario.s3Class("s3", Map.of("endpoint", s3.endpoint(), "iamEndpoint", iam.endpoint()));
            try (InstalledCommand _ = scenario.controller("first")) {
                scenario.claims(60, storageClass);
                scenario.awaitAllBound(60);
                // After a call that timed out, the store is called once more, half a minute later.
                Scenario.await("keys and options that may arrive late to be settled")
                        .until(() -> scenario.objectBuckets().stream()
                                .map(RecordedBucket::new)
                                .noneMatch(bucket -> bucket.grants().ending().isPresent()
                                        || bucket.options().isEmpty()));
            }
            scenario.assertNoDuplicates();
            int before = s3.connections() + iam.connections();
            assertThat(before).isPositive();
            RequestCounts restart = restart(cluster, scenario);
            assertThat(s3.connections() + iam.connections())
                    .as("calls to the store")
                    .isEqualTo(before);
            assertThat(restart.writes() + restart.events() + objectsRead(restart))
                    .as("%s", restart)
                    .isZero();
        }
    }

    /** Whether the server answers at all is asked once, of no object. */
    private static long objectsRead(RequestCounts requests) {
        return requests.count(
                request -> request.verb().equals("get") && !request.resource().isEmpty());
    }

    /** What a fresh process asks until it leads and has nothing to do. */
    private static RequestCounts restart(TestCluster cluster, Scenario scenario, String... more) {
        ApiUser account = scenario.account();
        RequestCounts before = cluster.requests(account);
        try (InstalledCommand second = scenario.controller("second", more)) {
            Scenario.await("the second to lead")
                    .until(() -> scenario.leaseHolder().startsWith(second.name()));
            scenario.awaitSettled();
            assertThat(second.err()).doesNotContain("ERROR").doesNotContainIgnoringCase("forbidden");
        }
        return cluster.requests(account).since(before);
    }
}
