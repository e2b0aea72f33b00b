package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buckets that outlive their claims, and the two commands that bring them back. */
@OnCluster
class RetainedBucketsIT {

    @TempDir
    private Path temporary;

    @Test
    void aRetainedBucketAndAnUntaggedBucketAreAdoptedByNewClaimsAndKept(TestCluster cluster) throws Exception {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                InstalledCommand _ = scenario.controller("one")) {
            String retain = scenario.storageClass("retain", scenario.s3Parameters(Map.of("reclaimPolicy", "Retain")));
            scenario.claim("first", Scenario.newBucket(retain));
            scenario.awaitBound("first");
            String bucket = Objects.requireNonNull(scenario.config("first").get("BUCKET_NAME"));
            scenario.deleteAll();
            assertThat(scenario.newBuckets()).containsExactly(bucket);

            String printed = adopt(scenario, retain, bucket, "second");
            assertThat(printed).contains("created for bucket " + bucket, "Bound: ");
            assertThat(scenario.works("second")).isTrue();
            assertThat(scenario.config("second")).containsEntry("BUCKET_NAME", bucket);

            String theirs = cluster.namespace() + "-theirs";
            scenario.store().administrator().createBucket(request -> request.bucket(theirs));
            String adopted = adopt(scenario, retain, theirs, "third", "--untagged");
            assertThat(adopted).contains("Bound: ");
            assertThat(scenario.works("third")).isTrue();

            scenario.deleteAll();
            assertThat(scenario.newBuckets()).as("adopted is never deleted").containsExactlyInAnyOrder(bucket, theirs);
            assertThat(scenario.newUsers()).isEmpty();
            scenario.newBuckets()
                    .forEach(name -> scenario.store().administrator().deleteBucket(request -> request.bucket(name)));
        }
    }

    @Test
    void aSuspendedClaimsKeysWorkAgainOnceTheSuspensionIsLifted(TestCluster cluster) throws Exception {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                InstalledCommand _ = scenario.controller("one")) {
            String suspend =
                    scenario.storageClass("suspend", scenario.s3Parameters(Map.of("reclaimPolicy", "Suspend")));
            String uid = scenario.claim("mine", Scenario.newBucket(suspend))
                    .getMetadata()
                    .getUid();
            scenario.awaitBound("mine");
            Map<String, String> config = scenario.config("mine");
            Map<String, String> keys = scenario.keys("mine");
            assertThat(StoreView.works(config, keys)).isTrue();
            scenario.deleteAll();
            assertThat(StoreView.works(config, keys)).isFalse();
            String bucket = Objects.requireNonNull(config.get("BUCKET_NAME"));

            String printed = InstalledCommand.run(
                    temporary,
                    "claim",
                    "unsuspend",
                    bucket,
                    "--class=" + suspend,
                    "--claim-uid=" + uid,
                    "--kubeconfig=" + cluster.local().kubeconfig());
            assertThat(printed).contains("have access to bucket " + bucket + " again");
            assertThat(keys.values()).noneMatch(printed::contains);
            assertThat(StoreView.works(config, keys)).isTrue();
        }
    }

    private String adopt(Scenario scenario, String storageClass, String bucket, String claim, String... more)
            throws InterruptedException {
        String[] words = {
            "claim",
            "adopt",
            bucket,
            "--class=" + storageClass,
            "--claim=" + claim,
            "--namespace=" + scenario.namespace(),
            "--wait",
            "--kubeconfig=" + scenario.kubeconfig()
        };
        String[] all = Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
        return InstalledCommand.run(temporary, all);
    }
}
