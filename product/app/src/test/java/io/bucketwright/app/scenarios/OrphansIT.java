package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.Phase;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed orphan controller by its flags, as its own service account, beside the one that binds. */
@ResourceLock("orphans of all provisioners")
@Order(3)
class OrphansIT extends ScenarioTestBase {

    @Test
    void aDryRunReportsAGraceIsWaitedForAndThenOnlyAccessIsRevokedUnlessThePolicyMayAct(TestCluster cluster) {
        String storageClass = scenario.s3Class("s3");
        try (InstalledCommand _ = scenario.controller("one")) {
            List.of("kept", "reclaimed", "released")
                    .forEach(name -> scenario.claim(name, Scenario.newBucket(storageClass)));
            List.of("kept", "reclaimed", "released").forEach(scenario::awaitBound);
        }
        String kept = scenario.bucket("kept");
        String reclaimed = scenario.bucket("reclaimed");
        String released = scenario.bucket("released");
        forceDelete(cluster, scenario.get("kept"));
        ObjectBucket orphan = scenario.objectBucket("kept").orElseThrow();
        try (InstalledCommand _ = scenario.orphanController("dry", "--dry-run", "--orphan-grace-period=0s")) {
            Scenario.await("a report").until(() -> events(orphan).contains("dry run"));
            assertThat(scenario.objectBucket("kept").orElseThrow().getMetadata().getResourceVersion())
                    .isEqualTo(orphan.getMetadata().getResourceVersion());
        }

        try (InstalledCommand _ = scenario.starting("two");
                InstalledCommand _ = scenario.orphanController("revoking", "--orphan-grace-period=1s")) {
            Scenario.await("the orphan to be deleted")
                    .until(() -> scenario.objectBuckets().size() == 2);
            assertThat(scenario.newBuckets())
                    .as("access is revoked, the bucket is kept")
                    .containsExactlyInAnyOrder(kept, reclaimed, released);
            assertThat(scenario.newUsers()).hasSize(2);
            forceDelete(cluster, scenario.objectBucket("released").orElseThrow());
            Scenario.await("the claim to be Released")
                    .until(() -> scenario.get("released").phase() == Phase.RELEASED);
        }

        forceDelete(cluster, scenario.get("reclaimed"));
        try (InstalledCommand _ = scenario.starting("three", "--reclaim-orphans=policy");
                InstalledCommand _ = scenario.orphanController("policy", "--orphan-grace-period=0s")) {
            Scenario.await("the other orphan to be deleted")
                    .until(() -> scenario.objectBuckets().isEmpty());
            assertThat(scenario.newBuckets()).containsExactlyInAnyOrder(kept, released);
        }
        List.of(kept, released).forEach(bucket -> scenario.store().delete(bucket));
    }

    /** Reasons and notes of the events about it. */
    private String events(ObjectBucket bucket) {
        return scenario.admin().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> bucket.getMetadata()
                        .getName()
                        .equals(event.getRegarding().getName()))
                .map(event -> event.getReason() + ": " + event.getNote() + "\n")
                .reduce("", String::concat);
    }

    /** Deletes an object as somebody does who removes finalizers by hand. */
    private void forceDelete(TestCluster cluster, HasMetadata object) {
        cluster.forceDelete(object);
        Scenario.await("it to be deleted")
                .until(() -> scenario.admin().resource(object).get() == null);
    }
}
