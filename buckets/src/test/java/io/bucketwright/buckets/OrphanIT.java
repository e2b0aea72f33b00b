package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster
@ResourceLock("orphans of all provisioners")
class OrphanIT {

    @Test
    void anOrphanIsReportedThenDeletedAndItsProvisionerRevokesAndKeepsTheBucket(TestCluster cluster)
            throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            ApiUser user = cluster.user("buckets");
            String bucket;
            try (ControllerProcess _ = bench.provisioner(user, store)) {
                bench.newBucket("lost", storageClass);
                bucket = bench.awaitBound("lost").getSpec().bucket().orElseThrow();
            }
            vanish(bench, "lost");
            bench.provisioner(user, store);
            bench.awaitSettled();
            assertThat(bench.buckets())
                    .as("a provisioner does not decide who is an orphan")
                    .hasSize(1);

            ApiUser dry = cluster.user("dry");
            try (ControllerProcess collector = OrphanCollector.builder()
                    .client(dry.config())
                    .gracePeriod(Duration.ZERO)
                    .dryRun(true)
                    .build()
                    .start()) {
                collector.awaitReady();
                Bench.await("a report").until(() -> cluster.requests(dry).events() > 0);
                RequestCounts requests = cluster.requests(dry);
                assertThat(requests.writes()).as("%s", requests).isZero();
            }
            assertThat(bench.buckets()).hasSize(1);

            try (ControllerProcess collector = OrphanCollector.builder()
                    .client(cluster.user("orphans").config())
                    .gracePeriod(Duration.ofMillis(500))
                    .build()
                    .start()) {
                collector.awaitReady();
                Bench.await("the orphan to go").until(() -> bench.buckets().isEmpty());
            }
            assertThat(store.has(bucket)).as("lib#131: released, not destroyed").isTrue();
            assertThat(store.principals()).isZero();
            Bench.await("its children to go")
                    .until(() -> bench.secret("lost") == null && bench.configMap("lost") == null);
        }
    }

    @Test
    void aClaimOfTheSameNameWithAnotherUidIsARestoredBackupAndNoOrphanIsFound(TestCluster cluster)
            throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            try (ControllerProcess _ = bench.provisioner(cluster.user("buckets"), store)) {
                bench.newBucket("restored", storageClass);
                bench.newBucket("later", storageClass);
                bench.awaitBound("restored");
                bench.awaitBound("later");
            }
            vanish(bench, "restored");
            bench.newBucket("restored", storageClass);
            ApiUser user = cluster.user("orphans");
            try (ControllerProcess collector = OrphanCollector.builder()
                    .client(user.config())
                    .gracePeriod(Duration.ZERO)
                    .build()
                    .start()) {
                collector.awaitReady();
                vanish(bench, "later");
                Bench.await("a later orphan to be deleted")
                        .until(() -> bench.buckets().stream()
                                .anyMatch(bucket -> bucket.getMetadata().getDeletionTimestamp() != null));
                assertThat(bench.buckets())
                        .filteredOn(bucket -> bucket.getMetadata().getDeletionTimestamp() == null)
                        .singleElement()
                        .satisfies(bucket ->
                                assertThat(bucket.getMetadata().getName()).endsWith("-restored"));
                assertThat(cluster.requests(user)
                                .count(request -> request.resource().equals("objectbuckets")
                                        && request.verb().equals("delete")
                                        && request.name().contains("restored")))
                        .isZero();
            }
        }
    }

    @Test
    void aClaimWhoseObjectBucketIsGoneIsCalledReleased(TestCluster cluster) throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            try (ControllerProcess _ = bench.provisioner(cluster.user("buckets"), store)) {
                bench.newBucket("bereft", storageClass);
                bench.awaitBound("bereft");
            }
            ObjectBucket bucket = bench.bucketOf("bereft");
            bench.admin().resource(bucket).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.admin().resource(bucket).delete();
            try (ControllerProcess collector = OrphanCollector.builder()
                    .client(cluster.user("orphans").config())
                    .gracePeriod(Duration.ofMillis(200))
                    .build()
                    .start()) {
                collector.awaitReady();
                bench.awaitPhase("bereft", Phase.RELEASED);
            }
        }
    }

    /** Takes a claim away as somebody does who removes finalizers by hand. */
    private static void vanish(Bench bench, String name) {
        ObjectBucketClaim claim = bench.get(name);
        bench.admin().resource(claim).edit(it -> {
            it.getMetadata().setFinalizers(List.of());
            return it;
        });
        bench.delete(name);
        Bench.await(name + " to vanish").until(() -> bench.get(name) == null);
    }
}
