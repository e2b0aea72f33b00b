package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.Phase;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed orphan controller by its flags, as its own service account, beside the one that binds. */
@OnCluster
@ResourceLock("orphans of all provisioners")
class OrphansIT {

    @TempDir
    private Path temporary;

    @Test
    void aDryRunReportsAGraceIsWaitedForAndThenOnlyAccessIsRevokedUnlessThePolicyMayAct(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            try (CommandProcess _ = scenario.controller("one")) {
                List.of("kept", "reclaimed", "bereft")
                        .forEach(name -> scenario.claim(name, Scenario.newBucket(storageClass)));
                List.of("kept", "reclaimed", "bereft").forEach(scenario::awaitBound);
            }
            String kept = scenario.get("kept").getSpec().bucket().orElseThrow();
            String reclaimed = scenario.get("reclaimed").getSpec().bucket().orElseThrow();
            String bereft = scenario.get("bereft").getSpec().bucket().orElseThrow();
            vanish(scenario, scenario.get("kept"));
            ObjectBucket orphan = objectBucket(scenario, "kept");
            try (CommandProcess _ = scenario.orphanController("dry", "--dry-run", "--orphan-grace-period=0s")) {
                Scenario.await("a report").until(() -> told(scenario, orphan).contains("dry run"));
                assertThat(objectBucket(scenario, "kept").getMetadata().getResourceVersion())
                        .isEqualTo(orphan.getMetadata().getResourceVersion());
            }

            try (CommandProcess _ = scenario.controller("two");
                    CommandProcess _ = scenario.orphanController("revoking", "--orphan-grace-period=1s")) {
                Scenario.await("the orphan to be gone")
                        .until(() -> scenario.objectBuckets().size() == 2);
                assertThat(scenario.newBuckets())
                        .as("ruling 11: revoked, not destroyed")
                        .containsExactlyInAnyOrder(kept, reclaimed, bereft);
                assertThat(scenario.newUsers()).hasSize(2);
                vanish(scenario, objectBucket(scenario, "bereft"));
                Scenario.await("the claim to be Released")
                        .until(() -> scenario.get("bereft").phase() == Phase.RELEASED);
            }

            vanish(scenario, scenario.get("reclaimed"));
            try (CommandProcess _ = scenario.controller("three", "--reclaim-orphans=policy");
                    CommandProcess _ = scenario.orphanController("policy", "--orphan-grace-period=0s")) {
                Scenario.await("the other orphan to be gone")
                        .until(() -> scenario.objectBuckets().isEmpty());
                assertThat(scenario.newBuckets()).containsExactlyInAnyOrder(kept, bereft);
            }
            List.of(kept, bereft)
                    .forEach(bucket -> scenario.store().administrator().deleteBucket(it -> it.bucket(bucket)));
        }
    }

    private static ObjectBucket objectBucket(Scenario scenario, String claim) {
        return scenario.objectBuckets().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .orElseThrow()
                        .claimName()
                        .equals(claim))
                .findFirst()
                .orElseThrow();
    }

    /** What the events about it say. */
    private static String told(Scenario scenario, ObjectBucket bucket) {
        return scenario.admin().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> bucket.getMetadata()
                        .getName()
                        .equals(event.getRegarding().getName()))
                .map(event -> event.getReason() + ": " + event.getNote() + "\n")
                .reduce("", String::concat);
    }

    /** Takes an object away as somebody does who removes finalizers by hand. */
    private static void vanish(Scenario scenario, HasMetadata object) {
        scenario.admin().resource(object).edit(it -> {
            it.getMetadata().setFinalizers(List.of());
            return it;
        });
        scenario.admin().resource(object).delete();
        Scenario.await("it to vanish")
                .until(() -> scenario.admin().resource(object).get() == null);
    }
}
