package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster
@ResourceLock("orphans of all provisioners")
class OrphanIT extends BucketTestBase {

    @Test
    void anOrphanIsFinishedByItsProvisionerAlone() {
        String bucket = bench.bindAndStop("lost", bench.storageClass("new", Map.of()));
        bench.orphan("lost");
        bench.start();
        Eventually.await("deletion of the orphan").until(() -> bench.buckets().isEmpty());
        assertThat(store.has(bucket)).isTrue();
        assertThat(store.principals()).isZero();
        Eventually.await("deletion of its children")
                .until(() -> bench.secret("lost") == null && bench.configMap("lost") == null);
    }

    @Test
    void anOrphanIsReportedThenDeletedAndItsProvisionerRevokesAndKeepsTheBucket() {
        String bucket = bench.bindAndStop("lost", bench.storageClass("new", Map.of()));
        bench.orphan("lost");
        ApiUser dry = cluster.user("dry");
        try (ControllerProcess _ = bench.startCollector(dry, builder -> builder.dryRun(true))) {
            Eventually.await("a report").until(() -> cluster.requests(dry).events() > 0);
            RequestCounts requests = cluster.requests(dry);
            assertThat(requests.writes()).as("%s", requests).isZero();
        }
        assertThat(bench.buckets()).hasSize(1);

        bench.startCollector(cluster.user("orphans"), builder -> builder.gracePeriod(Duration.ofMillis(500)));
        Eventually.await("deletion of the orphan")
                .until(() -> bench.buckets().stream().anyMatch(Metadata::isBeingDeleted));
        bench.start();
        Eventually.await("its release").until(() -> bench.buckets().isEmpty());
        assertThat(store.has(bucket)).as("lib#131: released, not destroyed").isTrue();
        assertThat(store.principals()).isZero();
        Eventually.await("deletion of its children")
                .until(() -> bench.secret("lost") == null && bench.configMap("lost") == null);
    }

    @Test
    void aClaimOfTheSameNameWithAnotherUidIsARestoredBackupAndNoOrphanIsFound() {
        String storageClass = bench.storageClass("new", Map.of());
        bench.bindAndStop("restored", storageClass);
        bench.bindAndStop("later", storageClass);
        bench.orphan("restored");
        bench.newBucket("restored", storageClass);
        ApiUser user = cluster.user("orphans");
        bench.startCollector(user, builder -> {});
        bench.orphan("later");
        Eventually.await("deletion of a later orphan")
                .until(() -> bench.buckets().stream().anyMatch(Metadata::isBeingDeleted));
        assertThat(bench.buckets())
                .filteredOn(bucket -> !Metadata.isBeingDeleted(bucket))
                .singleElement()
                .satisfies(bucket -> assertThat(bucket.getMetadata().getName()).endsWith("-restored"));
        assertThat(cluster.requests(user)
                        .count(request -> request.resource().equals("objectbuckets")
                                && request.verb().equals("delete")
                                && request.name().contains("restored")))
                .isZero();

        bench.delete("restored");
        Eventually.await("the orphan to be noticed without an event on it")
                .until(() -> bench.buckets().stream().allMatch(Metadata::isBeingDeleted));
    }

    @Test
    void aClaimWhoseObjectBucketNoLongerExistsIsReleased() {
        bench.bindAndStop("missing", bench.storageClass("new", Map.of()));
        cluster.forceDelete(bench.bucketOf("missing"));
        bench.startCollector(cluster.user("orphans"), builder -> builder.gracePeriod(Duration.ofMillis(200)));
        bench.awaitPhase("missing", Phase.RELEASED);
    }
}
